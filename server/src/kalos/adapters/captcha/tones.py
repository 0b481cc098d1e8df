"""The captcha for ears: groups of tones over noise, to be counted; no language has to be understood for it."""

import base64
import io
import math
import os
import secrets
import wave
from functools import cache
from typing import Final

from kalos.core.ports import Puzzle

GROUPS: Final = 4
MOST_TONES: Final = 6
"""In a group: more are hard to count."""
_RATE: Final = 8_000
_MIDDLE: Final = 128
"""Of a sample of eight bits: silence."""
_HEIGHTS_HZ: Final = tuple(range(440, 881, 40))
_TONE: Final = (130, 190)
_GAP: Final = (150, 210)
_PAUSE: Final = (900, 1_200)
"""From so many milliseconds to so many; what parts two groups is heard to be longer than what parts two tones."""
_LOUD: Final = 80
_NOISE: Final = bytes(_MIDDLE - 6 + value % 13 for value in range(256))


class ToneCaptchas:
    """A CaptchaDrawer; nothing that it plays can be foretold. The answer has a digit for each group."""

    def draw(self) -> Puzzle:
        counts = [1 + secrets.randbelow(MOST_TONES) for _ in range(GROUPS)]
        buffer = io.BytesIO()
        with wave.open(buffer, "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(1)
            sound.setframerate(_RATE)
            sound.writeframes(_played(counts))
        url = "data:audio/wav;base64," + base64.b64encode(buffer.getvalue()).decode()
        return Puzzle(url, "".join(str(count) for count in counts))


def _played(counts: list[int]) -> bytes:
    parts = [_hush(_between(_GAP))]
    for count in counts:
        for _ in range(count):
            parts += [_tone(secrets.choice(_HEIGHTS_HZ))[: _between(_TONE)], _hush(_between(_GAP))]
        parts.append(_hush(_between(_PAUSE)))
    return b"".join(parts)


def _between(span: tuple[int, int]) -> int:
    """A number of samples."""
    least, most = span
    return (least + secrets.randbelow(most - least + 1)) * _RATE // 1_000


def _hush(samples: int) -> bytes:
    return os.urandom(samples).translate(_NOISE)


@cache
def _tone(height_hz: int) -> bytes:
    """The longest one of this height, of which shorter ones are cut."""
    samples = _TONE[1] * _RATE // 1_000
    return bytes(_MIDDLE + round(_LOUD * math.sin(math.tau * height_hz * place / _RATE)) for place in range(samples))
