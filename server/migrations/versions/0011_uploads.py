"""Pictures that members send: a row before, while and after its file is in the store."""

from alembic import op

revision = "0011_uploads"
down_revision = "0010_checks"
branch_labels = None
depends_on = None

STATEMENTS = (
    # The file's name is drawn with the row: whatever dies in between, the row leads to what may lie in the store.
    """
    CREATE TABLE uploads (
        id text PRIMARY KEY CHECK (length(id) = 22),
        owner bigint NOT NULL REFERENCES members,
        purpose text NOT NULL CHECK (purpose IN ('picture', 'kyc', 'shop')),
        kind text NOT NULL CHECK (kind IN ('image/jpeg', 'image/png', 'image/webp')),
        state text NOT NULL CHECK (state IN ('granted', 'receiving', 'kept', 'used', 'refused', 'ended')),
        sent_bytes integer NOT NULL CHECK (sent_bytes BETWEEN 1 AND 10000000),
        sent_sha256 bytea NOT NULL CHECK (length(sent_sha256) = 32),
        grant_hash bytea UNIQUE CHECK (length(grant_hash) = 32),
        until_at bigint,
        name text NOT NULL UNIQUE CHECK (name ~ '^[0-9a-f]{32}$'),
        kept_bytes integer CHECK (kept_bytes BETWEEN 1 AND 20000000),
        kept_sha256 bytea CHECK (length(kept_sha256) = 32),
        width integer CHECK (width > 0),
        height integer CHECK (height > 0),
        created_at bigint NOT NULL,
        kept_at bigint,
        used_at bigint,
        used_by text CHECK (length(used_by) BETWEEN 1 AND 100),
        CONSTRAINT uploads_grant CHECK (
            num_nonnulls(grant_hash, until_at) IN (0, 2) AND (state <> 'granted' OR grant_hash IS NOT NULL)
        ),
        CONSTRAINT uploads_kept CHECK (
            num_nonnulls(kept_bytes, kept_sha256, width, height, kept_at) IN (0, 5)
            AND (state NOT IN ('granted', 'receiving', 'refused') OR kept_at IS NULL)
            AND (state NOT IN ('kept', 'used') OR kept_at IS NOT NULL)
        ),
        CONSTRAINT uploads_used CHECK (
            num_nonnulls(used_at, used_by) = CASE state WHEN 'used' THEN 2 ELSE 0 END
        )
    )
    """,
    "CREATE INDEX uploads_owner ON uploads (owner, created_at)",
    "CREATE INDEX uploads_unused ON uploads (created_at) WHERE state <> 'used'",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON uploads TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
