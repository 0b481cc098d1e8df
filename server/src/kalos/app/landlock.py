"""Closes a folder to a process and to all that it starts, whoever they are: Linux's Landlock, which needs no rights.

Its rules only ever allow. So everything that stands beside the way to the folder is allowed; what is made there later,
right beside that way, can't be opened by who was started before. Nor does who is closed in look into the memory of
who isn't.
"""

import ctypes
import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ONLY_VERSION: Final = 1
_BENEATH: Final = 1
_NO_NEW_PRIVILEGES: Final = 38
_MOVING: Final = 2
"""The version of Landlock that knows how to allow a move from folder to folder; an earlier one forbids all of them."""
_TRUNCATING: Final = 3
_WRITE_FILE, _READ_FILE, _TRUNCATE = 1 << 1, 1 << 2, 1 << 14
_OF_FILES: Final = _READ_FILE | _WRITE_FILE | _TRUNCATE
_OF_FOLDERS: Final = sum(1 << bit for bit in (4, 5, 7, 8, 12, 13))
"""To delete folders and files, to make folders, files and links in them, and to move from one to another."""

_library: Final = ctypes.CDLL(None, use_errno=True)


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("place", ctypes.c_int32))


def is_known() -> bool:
    """Whether this kernel can close a folder."""
    return _version() >= _MOVING


@contextmanager
def closing(folder: Path | None) -> Iterator[int | None]:
    """The rules, as a descriptor for `enter`, that forbid to read, write or replace what is in an existing folder.

    None where there is nothing to close, or where the kernel can't. Raises: OSError.
    """
    if folder is None or not is_known():
        yield None
        return
    handled = _OF_FILES | _OF_FOLDERS
    if _version() < _TRUNCATING:
        handled &= ~_TRUNCATE
    rules = _call(_CREATE_RULESET, ctypes.byref(ctypes.c_uint64(handled)), 8, 0)
    try:
        for place in _beside(folder.resolve(strict=True)):
            _allow(rules, place, handled)
        yield rules
    finally:
        os.close(rules)


def enter(rules: int) -> None:
    """Obey them from now on. Between fork and exec: system calls alone. Raises: OSError."""
    if _library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no way to give up privileges")
    _call(_RESTRICT_SELF, rules, 0)


def _beside(folder: Path) -> Iterator[Path]:
    """Everything that stands in a folder on the way, and isn't on it."""
    for below, above in zip((folder, *folder.parents), folder.parents, strict=False):
        yield from (place for place in above.iterdir() if place != below)


def _allow(rules: int, place: Path, handled: int) -> None:
    try:  # of a link itself: what it leads to is allowed in its own place, or isn't
        opened = os.open(place, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:  # gone meanwhile, or nothing that we could open either
        return
    try:
        allowed = handled if stat.S_ISDIR(os.fstat(opened).st_mode) else handled & _OF_FILES
        _call(_ADD_RULE, rules, _BENEATH, ctypes.byref(_Beneath(allowed, opened)), 0)
    finally:
        os.close(opened)


def _version() -> int:
    """0 where the kernel has none, or it is switched off."""
    try:
        return _call(_CREATE_RULESET, None, 0, _ONLY_VERSION)
    except OSError as problem:
        if problem.errno in (errno.ENOSYS, errno.EOPNOTSUPP):
            return 0
        raise


def _call(number: int, *words: object) -> int:
    result: int = _library.syscall(number, *words)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
