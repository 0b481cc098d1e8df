"""What tests leave open fails their run, even where each test itself did what it should."""

import warnings

import pytest


class Leaks:
    """pytest's plugin. A warning tells it of each; raised in a loop's end, it would keep that loop waiting for ever."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def pytest_warning_recorded(self, warning_message: warnings.WarningMessage, nodeid: str) -> None:
        if issubclass(warning_message.category, ResourceWarning):
            self._found.append(f"{nodeid}: {warning_message.message}")

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._found and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for found in self._found:
            terminalreporter.write_line(f"left open by {found}", red=True)
