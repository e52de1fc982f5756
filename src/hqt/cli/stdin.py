"""A text that a command is given: in its words, or on standard input."""

import sys

from hqt.errors import ServiceError


def given(text: str, *, most: int) -> str:
    """`text`; where it is `-`, what comes on standard input, without the line break that ends it.

    Raises ServiceError for more than `most` bytes.
    """
    if text != "-":
        return text
    found = sys.stdin.buffer.read(most + 1)
    if len(found) > most:
        raise ServiceError(
            f"standard input holds more than {most} bytes: put the text into a file of the project"
        )
    return found.decode(errors="surrogateescape").removesuffix("\n").removesuffix("\r")
