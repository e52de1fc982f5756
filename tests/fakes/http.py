"""A server on loopback that answers with what a pure function makes of each request, and remembers them."""

import gzip
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal, TypeAlias

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
Object: TypeAlias = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Request:
    """One request, without its headers: the key is judged on arrival and never kept."""

    method: str
    path: str  # without the query
    body: Object
    credential: Literal["right", "wrong", "none"]


@dataclass(frozen=True, slots=True)
class Reply:
    """One JSON value, or the events of a stream."""

    body: Json = None
    events: tuple[Object, ...] = ()  # sent under its "type" where it has one
    status: int = 200


Answer: TypeAlias = Callable[[Request], Reply]


class FakeServer(ThreadingHTTPServer):
    """Answers on a free port of 127.0.0.1; a request with another key than `key` gets 401."""

    daemon_threads = True

    def __init__(self, answer: Answer, *, key: str, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.answer = answer
        self.key = key
        self.log: list[Request] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def reply(self, request: Request) -> Reply:
        self.log.append(request)
        if request.credential == "wrong":
            return Reply({"error": {"type": "authentication_error", "message": "wrong key"}}, status=401)
        return self.answer(request)


@contextmanager
def serving(answer: Answer, *, key: str) -> Iterator[FakeServer]:
    """A fake that answers from a thread of this process for as long as the block lasts."""
    with FakeServer(answer, key=key) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def blocks(value: Json) -> list[Object]:
    """The objects of a message's content; a bare text is one block of text."""
    if isinstance(value, str):
        return [{"type": "text", "text": value}]
    return [block for block in value if isinstance(block, dict)] if isinstance(value, list) else []


def text_of(value: Json) -> str:
    """The text in any of the shapes that the result of a tool has."""
    if isinstance(value, str):
        return value
    return "\n".join(str(block.get("text", "")) for block in blocks(value))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FakeServer

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on stderr: the log is the server's list."""

    def _answer(self) -> None:
        reply = self.server.reply(
            Request(self.command, self.path.partition("?")[0], self._body(), self._credential())
        )
        try:
            self._send(reply)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the harness was stopped while it was answered

    def _body(self) -> Object:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.headers.get("content-encoding") == "gzip":
            raw = gzip.decompress(raw)
        found = json.loads(raw or b"{}")
        return found if isinstance(found, dict) else {}

    def _credential(self) -> Literal["right", "wrong", "none"]:
        bearer = self.headers.get("authorization", "").removeprefix("Bearer ")
        given = self.headers.get("x-api-key") or self.headers.get("x-goog-api-key") or bearer
        if not given:
            return "none"
        return "right" if given == self.server.key else "wrong"

    def _send(self, reply: Reply) -> None:
        stream = "".join(map(_sent, reply.events))
        content = (stream or json.dumps(reply.body)).encode()
        self.send_response(reply.status)
        self.send_header("content-type", "text/event-stream" if stream else "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def _sent(event: Object) -> str:
    head = f"event: {event['type']}\n" if "type" in event else ""
    return f"{head}data: {json.dumps(event)}\n\n"
