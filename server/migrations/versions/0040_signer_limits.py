"""Commands that two people sign with their keys, what the signer tells of its limits, and the last run of each job."""

from alembic import op

revision = "0040_signer_limits"
down_revision = "0039_member_language"
branch_labels = None
depends_on = None

STATEMENTS = (
    # The text that maker and checker sign, where a command is of a kind that somebody verifies who trusts no row.
    """
    ALTER TABLE commands
        ADD message text CHECK (length(message) BETWEEN 1 AND 500),
        ADD maker_signature bytea CHECK (length(maker_signature) = 64),
        ADD checker_signature bytea CHECK (length(checker_signature) = 64),
        ADD CONSTRAINT commands_made_with_a_key CHECK ((message IS NULL) = (maker_signature IS NULL)),
        ADD CONSTRAINT commands_signed_with_a_key CHECK (
            (checker_signature IS NOT NULL) = (message IS NOT NULL AND state IN ('signed', 'carried_out'))
        )
    """,
    "CREATE INDEX commands_of_the_signer ON commands (split_part(message, E'\\n', 2)) WHERE kind = 'signer_limit'",
    "GRANT UPDATE (checker_signature) ON commands TO kalos_app",
    "GRANT SELECT (id, kind, state, message, maker_signature, checker_signature) ON commands TO kalos_signer",
    # Said by the signer alone: which limits count, since which order, and why that one wasn't followed.
    """
    ALTER TABLE signer_state
        ADD limits jsonb,
        ADD limits_order integer NOT NULL DEFAULT 0 CHECK (limits_order >= 0),
        ADD limits_refused text CHECK (length(limits_refused) BETWEEN 1 AND 200)
    """,
    "GRANT UPDATE (limits, limits_order, limits_refused) ON signer_state TO kalos_signer",
    # Of each job of the workers the last run: while one is under way, result and error are of the run before.
    """
    CREATE TABLE job_runs (
        name text PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 60),
        every_ms integer NOT NULL CHECK (every_ms > 0),
        started_at bigint NOT NULL,
        ended_at bigint,
        result text CHECK (result IN ('done', 'waits', 'failed')),
        error text CHECK (length(error) BETWEEN 1 AND 300),
        CONSTRAINT job_runs_ended CHECK ((ended_at IS NULL) = (result IS NULL)),
        CONSTRAINT job_runs_explained CHECK ((error IS NOT NULL) = (result IS NOT NULL AND result <> 'done'))
    )
    """,
    "GRANT SELECT, INSERT, UPDATE ON job_runs TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("signatures are kept: restore a backup")
