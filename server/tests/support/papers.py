"""What the papers say, to be compared with what the code does."""

import re
from pathlib import Path
from typing import Final

_DOCS: Final = Path(__file__).parents[3] / "docs"


def first_words(name: str, heading: str = "") -> set[str]:
    """The code words in the first column of a paper's tables (below a heading)."""
    text = (_DOCS / name).read_text()
    if heading:
        text = text.split(f"## {heading}", 1)[1].split("\n## ", 1)[0]
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("|")]
    return {word for cell in cells for word in re.findall(r"`([^`]+)`", cell)}


def rows(name: str, heading: str = "") -> list[dict[str, str]]:
    """A paper's table (below a heading): each row's cells by their column's name."""
    text = (_DOCS / name).read_text()
    if heading:
        text = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.split("\n") if line.startswith("|")]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[2:]]
