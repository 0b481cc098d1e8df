"""How tones are counted by ear: what is loud in a sound, and how long it is quiet in between."""

import base64
import io
import wave
from itertools import groupby

_LOUD = 20
_ENDS_TONE = 0.05
_ENDS_GROUP = 0.5


def counted(url: str) -> str:
    """How many tones each group of a data URL's sound has, as digits."""
    with wave.open(io.BytesIO(base64.b64decode(url.removeprefix("data:audio/wav;base64,")))) as sound:
        rate, samples = sound.getframerate(), sound.readframes(sound.getnframes())
    groups, quiet = [0], float("-inf")
    for is_loud, run in groupby(abs(sample - 128) > _LOUD for sample in samples):
        seconds = sum(1 for _ in run) / rate
        if not is_loud:
            quiet = seconds if seconds > _ENDS_TONE else quiet
            continue
        if quiet > _ENDS_GROUP and groups[-1]:
            groups.append(0)
        groups[-1] += quiet > _ENDS_TONE
        quiet = 0
    return "".join(str(count) for count in groups)
