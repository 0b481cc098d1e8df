"""What a mail looks like: one layout, as plain text and as HTML that needs nothing from anywhere else."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final


@dataclass(frozen=True, slots=True)
class Action:
    """A link with the sentence that says when to take it."""

    sentence: str
    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Letter:
    """`code` stands large above the sentences; `facts` are names and values under them."""

    lang: str
    heading: str
    paragraphs: Sequence[str]
    footer: str
    facts: Sequence[tuple[str, str]] = ()
    code: str = ""
    action: Action | None = None

    @property
    def text(self) -> str:
        parts = [*self.paragraphs, "\n".join(f"{name}: {value}" for name, value in self.facts)]
        if self.action:
            parts.append(f"{self.action.sentence}\n{self.action.url}")
        return "\n\n".join(part for part in (*parts, f"-- \n{self.footer}") if part)

    @property
    def html(self) -> str:
        sentences = "".join(f'<p style="margin:0 0 16px">{_lines(part)}</p>' for part in self.paragraphs)
        body = f"{self._code}{sentences}{self._facts}{self._action}"
        return _FRAME.format(
            lang=escape(self.lang), style=_DARK, mark=_MARK, heading=escape(self.heading), body=body,
            footer=_lines(self.footer),
        )  # fmt: skip

    @property
    def _code(self) -> str:
        look = "margin:0 0 20px;padding:16px;border-radius:14px;background:#edede7;text-align:center"
        digits = "font:600 32px/40px ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px"
        return f'<p class="plate" style="{look};{digits}">{escape(self.code)}</p>' if self.code else ""

    @property
    def _facts(self) -> str:
        if not self.facts:
            return ""
        rows = "".join(
            f'<tr><td class="quiet" style="{_CELL};color:#5c6470;padding-right:16px">{escape(name)}</td>'
            f'<td style="{_CELL};text-align:right;overflow-wrap:anywhere">{escape(value)}</td></tr>'
            for name, value in self.facts
        )
        return (
            f'<table role="presentation" width="100%" style="margin:0 0 20px;border-collapse:collapse">{rows}</table>'
        )

    @property
    def _action(self) -> str:
        if self.action is None:
            return ""
        look = "display:block;padding:14px 20px;border-radius:14px;font-weight:600;text-align:center"
        return (
            f'<p style="margin:0 0 12px">{escape(self.action.sentence)}</p>'
            f'<p style="margin:0"><a class="button" href="{escape(self.action.url)}" '
            f'style="{look};background:#b8202f;color:#fff;text-decoration:none">{escape(self.action.label)}</a></p>'
        )


def _lines(text: str) -> str:
    return escape(text).replace("\n", "<br>")


_CELL: Final = "padding:10px 0;border-top:1px solid #d9d9d0;vertical-align:top"

# Mail programs that know no such rule show the light letter, whose colours stand at its parts.
_DARK: Final = (
    ":root{color-scheme:light dark}@media (prefers-color-scheme:dark){"
    ".page{background:#0a0c10!important;color:#f2f4f7!important}.card{background:#12151b!important}"
    ".plate{background:#242a34!important}.quiet{color:#929ba9!important}td{border-color:#2b323d!important}"
    ".button{background:#ff6b72!important;color:#1c0305!important}.cell{background:#2b323d!important}}"
)

# Three cells of a ribbon, the last one lit: drawn by the letter itself, since nothing is loaded from elsewhere.
_SQUARE: Final = "display:inline-block;height:20px;border-radius:4px;margin-right:3px;vertical-align:middle"
_MARK: Final = (
    f'<span class="cell" style="{_SQUARE};width:12px;background:#e2e2da"></span>'
    f'<span class="cell" style="{_SQUARE};width:12px;background:#d9d9d0"></span>'
    f'<span style="{_SQUARE};width:15px;background:#4a3ad9"></span>'
    '<span style="margin-left:6px;font-weight:600;vertical-align:middle">Kalos</span>'
)
_FRAME: Final = (
    '<!doctype html><html lang="{lang}"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width,initial-scale=1">'
    '<meta name="color-scheme" content="light dark"><title>{heading}</title><style>{style}</style></head>'
    '<body class="page" style="margin:0;background:#f5f5f1;color:#13151a;'
    'font:15px/24px system-ui,-apple-system,Segoe UI,Roboto,sans-serif">'
    '<div style="max-width:480px;margin:0 auto;padding:24px 16px">'
    '<div style="padding:0 4px 16px">{mark}</div>'
    '<div class="card" style="padding:24px 20px;border-radius:18px;background:#ffffff">'
    '<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;overflow-wrap:anywhere">{heading}</h1>{body}</div>'
    '<p class="quiet" style="margin:16px 4px 0;color:#5c6470;font-size:13px;line-height:20px">{footer}</p>'
    "</div></body></html>"
)
