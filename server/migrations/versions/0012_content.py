"""Bulletins: what is told when, and its texts by language."""

from alembic import op

revision = "0012_content"
down_revision = "0011_uploads"
branch_labels = None
depends_on = None

STATEMENTS = (
    # `pictures` are all uploads that ever belonged to it: what is tied once stays tied.
    """
    CREATE TABLE bulletins (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,63}$'),
        kind text NOT NULL CHECK (kind IN ('notice', 'news', 'banner')),
        pinned boolean NOT NULL,
        link text CHECK (length(link) BETWEEN 1 AND 1000),
        picture text REFERENCES uploads,
        width integer CHECK (width > 0),
        height integer CHECK (height > 0),
        pictures text[] NOT NULL,
        from_at bigint NOT NULL CHECK (from_at >= 0),
        until_at bigint,
        retracted_at bigint,
        changed_at bigint NOT NULL,
        CONSTRAINT bulletins_time CHECK (until_at > from_at),
        CONSTRAINT bulletins_banner CHECK (kind <> 'banner' OR link IS NOT NULL),
        CONSTRAINT bulletins_picture CHECK (num_nonnulls(picture, width, height) IN (0, 3))
    )
    """,
    # In the order of every list.
    """
    CREATE INDEX bulletins_shown ON bulletins (kind, pinned DESC, from_at DESC, id DESC) WHERE retracted_at IS NULL
    """,
    """
    CREATE TABLE bulletin_texts (
        bulletin bigint NOT NULL REFERENCES bulletins,
        lang text NOT NULL CHECK (lang IN ('en', 'vi', 'th', 'ja', 'ko', 'zh_CN', 'tw')),
        title text NOT NULL CHECK (length(title) BETWEEN 1 AND 120),
        summary text NOT NULL CHECK (length(summary) BETWEEN 1 AND 200),
        source text NOT NULL CHECK (length(source) BETWEEN 1 AND 20000),
        blocks text NOT NULL CHECK (length(blocks) BETWEEN 3 AND 100000),
        PRIMARY KEY (bulletin, lang)
    )
    """,
    "GRANT SELECT, INSERT, UPDATE ON bulletins TO kalos_app",
    "GRANT SELECT, INSERT, DELETE ON bulletin_texts TO kalos_app",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the house is not taken down: restore a backup")
