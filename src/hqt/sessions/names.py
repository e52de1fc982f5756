"""Which names a session may have, and the one it gets when nobody chose."""

from collections.abc import Container
from itertools import count

from hqt.errors import ServiceError, about

_LENGTH_MAX = 200
_JOINERS = str.maketrans("", "", "\u200c\u200d")  # unseen, but part of Persian words and of family emoji


@about("name")
def validate_name(name: str) -> str:
    """`name`, or ServiceError: printable text that is not all digits, as those are ids."""
    seen = name.translate(_JOINERS)
    if not seen or len(name) > _LENGTH_MAX or not seen.isprintable() or seen.isspace():
        raise ServiceError(f"the name {name!r} can't be used: choose 1 to {_LENGTH_MAX} printable characters")
    if name.isdecimal():
        raise ServiceError(f"the name {name} can't be used: numbers are ids: add a letter")
    return name


def title(name: str | None) -> str:
    """What a session is called that is to be `name`; empty where it gets the automatic name."""
    return "" if name is None else validate_name(name)


def automatic(project: str, harness: str, taken: Container[str]) -> str:
    """`<project>-<harness>`, then with -2, -3, … until one is free."""
    base = "".join(letter if letter.isprintable() else "_" for letter in f"{project}-{harness}")
    base = base[: _LENGTH_MAX - 8]
    numbered = (base if number == 1 else f"{base}-{number}" for number in count(1))
    return next(name for name in numbered if name not in taken)
