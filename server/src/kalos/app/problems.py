"""What an operator is told of what went wrong outside of our code: one line that says what to do, and no frames."""

import os
from typing import Final

import asyncpg

from kalos.app.migrate import SIGNER_ROLE
from kalos.core.database import LOST
from kalos.core.errors import ForOperator

_NOT_MIGRATED: Final = (asyncpg.InvalidCatalogNameError, asyncpg.UndefinedTableError, asyncpg.UndefinedColumnError)


def in_a_line(problem: BaseException) -> str | None:
    """None: it is a bug, or what it says may hold something that is nobody's to read."""
    if isinstance(problem, ForOperator):
        return str(problem) or type(problem).__name__
    if isinstance(problem, asyncpg.InvalidPasswordError | asyncpg.InvalidAuthorizationSpecificationError):
        if isinstance(problem, asyncpg.InvalidPasswordError) and SIGNER_ROLE in str(problem):
            return "the database refuses the signer's password, as one that was restored may: run signer setup"
        return (
            "the database refuses the password: the owner's is in DATABASE_URL, those of the house's roles follow from "
            "INSTALLATION_SECRET and are set by migrate"
        )
    if isinstance(problem, _NOT_MIGRATED):
        return "the database isn't there, or not of this version: run migrate"
    if isinstance(problem, asyncpg.ClientConfigurationError):
        return f"DATABASE_URL can't be used: {problem}"
    if isinstance(problem, OSError) and problem.errno is not None:
        about = f"{problem.filename}: " if problem.filename else ""
        return f"{about}{os.strerror(problem.errno) if problem.errno > 0 else problem.strerror}"
    if isinstance(problem, LOST):
        return f"the database does not answer ({type(problem).__name__})"
    return None
