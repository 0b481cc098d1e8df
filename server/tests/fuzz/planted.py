"""A target with a defect: fuzzing must find and show it."""


def target(raw: bytes) -> None:
    if raw.startswith(b"{"):
        assert raw[1:2] != b"!"
