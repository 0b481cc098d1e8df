"""A disk whose fsync takes longer: a library that PostgreSQL is started with, built where there is a C compiler."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_SOURCE: Final = Path(__file__).parent / "slow_fsync.c"
METHODS: Final = ("fdatasync", "fsync")  # the values of wal_sync_method that the library slows down


def build(folder: Path) -> Path | None:
    """Compile the library into `folder`. Returns None where there is no compiler."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        return None
    library = folder / "slow_fsync.so"
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(_SOURCE), "-ldl"], check=True)
    folder.chmod(0o755)  # the server may run as another user
    return library


@contextmanager
def preloaded(library: Path, milliseconds: int) -> Iterator[None]:
    """Programs that are started inside have the slow fsync."""
    kept = {name: os.environ.get(name) for name in ("LD_PRELOAD", "KALOS_FSYNC_MS")}
    os.environ |= {"LD_PRELOAD": str(library), "KALOS_FSYNC_MS": str(milliseconds)}
    try:
        yield
    finally:
        for name, value in kept.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
