"""What is wrong with a bulletin, told to whoever writes it."""

from kalos.core.errors import ForOperator


class BadBulletin(ForOperator):
    """The file of a bulletin can't be taken: one line says where and why."""
