"""The fake speaks the Messages API."""

import pytest

from tests.fakes.anthropic import answer, read_talk
from tests.fakes.http import Json, Object, Reply, Request
from tests.fakes.script import Talk

TOOLS: Json = [{"name": "Bash"}, {"name": "Write"}]


def _ask(prompt: str, **body: Json) -> Reply:
    messages: Json = [{"role": "user", "content": prompt}]
    return answer(Request("POST", "/v1/messages", {"model": "m", "messages": messages, **body}, "right"))


def test_a_conversation_is_read_whole() -> None:
    call: Object = {"type": "tool_use", "id": "toolu_4", "name": "Bash", "input": {"command": "ls"}}
    result: Object = {
        "type": "tool_result",
        "tool_use_id": "toolu_4",
        "content": [{"type": "text", "text": "a"}],
    }
    messages: Json = [
        {"role": "user", "content": "first"},
        {"role": "assistant", "content": [{"type": "text", "text": "FAKE-OK: first"}]},
        {
            "role": "user",
            "content": [{"type": "text", "text": "<system-reminder>"}, {"type": "text", "text": "%bash ls"}],
        },
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result]},
    ]
    assert read_talk({"messages": messages}) == Talk("%bash ls", earlier=("first",), results=("a",))


def test_a_call_is_answered_as_one_message() -> None:
    given: Object = {"command": "ls", "description": "fake step"}
    assert _ask("%bash ls", tools=TOOLS).body == {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": given}],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }


def test_a_stream_builds_the_same_message() -> None:
    message: Object = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }
    delta: Object = {"type": "text_delta", "text": "FAKE-OK: hi"}
    assert _ask("hi", tools=TOOLS, stream=True).events == (
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": 5},
        },
        {"type": "message_stop"},
    )


def test_a_streamed_call_brings_its_input_as_text() -> None:
    start, delta = _ask("%write /p/x", tools=TOOLS, stream=True).events[1:3]
    assert start["content_block"] == {"type": "tool_use", "id": "toolu_1", "name": "Write", "input": {}}
    assert delta["delta"] == {
        "type": "input_json_delta",
        "partial_json": '{"file_path": "/p/x", "content": "written by the fake model\\n"}',
    }


@pytest.mark.parametrize("path", ["filePath", "path"])
def test_tools_of_other_names_are_called_by_theirs(path: str) -> None:
    tools: Json = [
        {"name": "bash"},
        {"name": "write", "input_schema": {"properties": {path: {}, "content": {}}}},
    ]
    written, run = (_ask(prompt, tools=tools).body for prompt in ("%write /p/x", "%bash ls"))
    assert isinstance(written, dict)
    assert isinstance(run, dict)
    given: Object = {path: "/p/x", "content": "written by the fake model\n"}
    assert written["content"] == [{"type": "tool_use", "id": "toolu_1", "name": "write", "input": given}]
    given = {"command": "ls", "description": "fake step"}
    assert run["content"] == [{"type": "tool_use", "id": "toolu_1", "name": "bash", "input": given}]


def test_a_request_without_tools_gets_a_title() -> None:
    body = _ask("%bash ls").body
    assert isinstance(body, dict)
    assert body["content"] == [{"type": "text", "text": "Fake title"}]


def test_tokens_are_counted_and_all_else_gets_an_empty_object() -> None:
    assert answer(Request("POST", "/v1/messages/count_tokens", {}, "right")) == Reply({"input_tokens": 10})
    assert answer(Request("GET", "/v1/models", {}, "right")) == Reply({})
