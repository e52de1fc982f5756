"""A fake to try by hand: `python -m tests.fakes anthropic --port 8471 --key dummy`."""

import argparse
from contextlib import suppress

from tests.fakes import anthropic, chat, gemini, openai
from tests.fakes.http import FakeServer

_ANSWERS = {
    "anthropic": anthropic.answer,
    "chat": chat.answer,
    "gemini": gemini.answer,
    "openai": openai.answer,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.fakes", description=__doc__)
    parser.add_argument("protocol", choices=list(_ANSWERS))
    parser.add_argument("--port", type=int, default=0, help="0: any free one")
    parser.add_argument("--key", required=True, help="the only key that is let in")
    given = parser.parse_args()
    with (
        FakeServer(_ANSWERS[given.protocol], key=given.key, port=given.port) as server,
        suppress(KeyboardInterrupt),
    ):
        print(server.url, flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
