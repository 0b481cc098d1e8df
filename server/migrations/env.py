"""Alembic's side of `kalos.app.migrate`: writes the SQL of the migrations, which the runner then runs."""

from alembic import context

assert context.is_offline_mode(), "run the migrations with: python -m kalos.app.cli migrate"
context.configure(
    dialect_name="postgresql",
    dialect_opts={"paramstyle": "named"},  # leaves a percent sign as it is
    output_buffer=context.config.output_buffer,
    transactional_ddl=False,
)
context.run_migrations()
