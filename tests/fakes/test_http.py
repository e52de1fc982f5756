"""A fake answers on loopback, lets one key in, and forgets it."""

import gzip
import json
from http.client import HTTPConnection

from tests.fakes.http import FakeServer, Reply, Request, blocks, serving, text_of

KEY = "sk-fake-0123456789abcdef"


def _send(
    server: FakeServer, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
) -> tuple[int, str | None, bytes]:
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=5)
    try:
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        return response.status, response.getheader("content-type"), response.read()
    finally:
        connection.close()


def test_a_reply_arrives_as_json() -> None:
    with serving(lambda request: Reply({"path": request.path}), key=KEY) as server:
        assert _send(server, "GET", "/v1/models?x=1") == (200, "application/json", b'{"path": "/v1/models"}')


def test_events_arrive_as_a_stream() -> None:
    with serving(lambda request: Reply(events=({"type": "a"}, {"b": 1})), key=KEY) as server:
        content = b'event: a\ndata: {"type": "a"}\n\ndata: {"b": 1}\n\n'
        assert _send(server, "POST", "/") == (200, "text/event-stream", content)


def test_a_head_request_gets_no_content() -> None:
    with serving(lambda request: Reply({}), key=KEY) as server:
        assert _send(server, "HEAD", "/") == (200, "application/json", b"")


def test_a_compressed_body_is_read() -> None:
    with serving(lambda request: Reply(request.body), key=KEY) as server:
        body = gzip.compress(b'{"a": 1}')
        assert _send(server, "POST", "/", body, {"content-encoding": "gzip"})[2] == b'{"a": 1}'


def test_another_key_is_refused() -> None:
    with serving(lambda request: Reply({}), key=KEY) as server:
        assert _send(server, "POST", "/", b"", {"authorization": "Bearer other"})[0] == 401
        assert _send(server, "POST", "/", b"", {"authorization": f"Bearer {KEY}"})[0] == 200
        assert _send(server, "POST", "/", b"", {"x-api-key": KEY})[0] == 200
        assert _send(server, "POST", "/", b"", {"x-goog-api-key": KEY})[0] == 200


def test_the_log_says_whether_the_key_came_and_never_holds_it() -> None:
    with serving(lambda request: Reply({}), key=KEY) as server:
        _send(server, "POST", "/v1/messages", json.dumps({"a": 1}).encode(), {"x-api-key": KEY})
        _send(server, "GET", "/")
    assert server.log == [Request("POST", "/v1/messages", {"a": 1}, "right"), Request("GET", "/", {}, "none")]


def test_a_bare_text_is_one_block() -> None:
    assert blocks("hi") == [{"type": "text", "text": "hi"}]
    assert blocks([{"a": 1}, "no object"]) == [{"a": 1}]
    assert blocks(None) == []


def test_the_text_of_a_result_is_found_in_each_of_its_shapes() -> None:
    assert text_of("hi") == "hi"
    assert text_of([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]) == "a\nb"
    assert text_of(None) == ""
