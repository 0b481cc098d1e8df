"""Writes THIRD-PARTY.md: every package that the product ships or is built with, its version and its licence.

Run in the project's environment: python docs/make_notices.py
"""

import json
import re
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEAD = """# Third-party notices

Kalos is put together with the packages below; each is under its own licence, whose text comes with the package;
the page brings the texts for its own code as /licences.txt.
The contracts' bytecode contains code of OpenZeppelin Contracts (MIT). Geist is under the SIL Open Font License 1.1.
This file is written by `docs/make_notices.py`.
"""


def python_packages(lock: str) -> list[tuple[str, str, str]]:
    lines = (ROOT / "server" / lock).read_text().splitlines()
    pairs = [match.groups() for line in lines if (match := re.match(r"([a-z0-9._-]+)==([^ ;\\]+)", line))]
    return [(name, version, _python_licence(name)) for name, version in pairs]


def web_packages(lock: Path) -> list[tuple[str, str, str]]:
    rows = []
    for place, entry in json.loads(lock.read_text())["packages"].items():
        if place and not entry.get("optional"):
            package = lock.parent / place / "package.json"
            stated = json.loads(package.read_text()).get("license") if package.exists() else entry.get("license")
            rows.append((place.rpartition("node_modules/")[2], entry["version"], _word(stated)))
    return sorted(set(rows))


def _python_licence(name: str) -> str:
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return "for other platforms: see the package"
    stated = about.get("License-Expression") or about.get("License") or ""
    classes = [text.rpartition("::")[2].strip() for text in about.get_all("Classifier") or [] if "License ::" in text]
    short = stated.splitlines()[0] if stated else ""
    return short if 0 < len(short) < 60 else ", ".join(classes) or "see the package"


def _word(stated: object) -> str:
    if isinstance(stated, dict):
        return str(stated.get("type"))
    return str(stated or "see the package")


def table(title: str, rows: list[tuple[str, str, str]]) -> str:
    lines = [f"| {name} | {version} | {licence} |" for name, version, licence in rows]
    return "\n".join([f"## {title}", "", "| package | version | licence |", "| --- | --- | --- |", *lines])


def main() -> None:
    shipped = python_packages("requirements.lock")
    names = {name for name, _, _ in shipped}
    tools = [row for row in python_packages("requirements-dev.lock") if row[0] not in names]
    parts = [
        HEAD,
        table("Server", shipped),
        "",
        table("Web app and its tools", web_packages(ROOT / "web" / "package-lock.json")),
        "",
        table("The page's measuring", web_packages(ROOT / "e2e" / "lab" / "package-lock.json")),
        "",
        table("Contracts' tools", web_packages(ROOT / "deploy" / "contracts" / "package-lock.json")),
        "",
        table("Checks and tests of the server", tools),
        "",
    ]
    (ROOT / "THIRD-PARTY.md").write_text("\n".join(parts))


if __name__ == "__main__":
    main()
