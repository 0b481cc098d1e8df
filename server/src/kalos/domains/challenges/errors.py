"""What a wrong or late answer to a challenge is told."""

from kalos.core.errors import Refusal


class WrongCaptcha(Refusal):
    """The picture was read wrongly, tones were, or the piece was put elsewhere or by no hand."""

    code, name = 401, "wrong_captcha"


class WrongCode(Refusal):
    code, name = 401, "wrong_code"


class CaptchaExpired(Refusal):
    """Too old, used already, or never drawn."""

    code, name = 410, "captcha_expired"


class CodeExpired(Refusal):
    """Too old, used already, or tried too often."""

    code, name = 410, "code_expired"


class SlideRequired(Refusal):
    """Without a proof, or with one that is too old or was used."""

    code, name = 422, "slide_required"
