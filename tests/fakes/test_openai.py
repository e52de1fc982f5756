"""The fake speaks the Responses API."""

import json

from tests.fakes.http import Json, Object, Reply, Request
from tests.fakes.openai import answer, read_talk
from tests.fakes.script import Talk

TOOLS: Json = [{"type": "function", "name": "exec_command"}]


def _prompt(text: str) -> Object:
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


def _ask(prompt: str, tools: Json) -> tuple[Object, ...]:
    body: Object = {"model": "m", "input": [_prompt(prompt)], "tools": tools, "stream": True}
    return answer(Request("POST", "/v1/responses", body, "right")).events


def test_a_conversation_is_read_whole() -> None:
    items: Json = [
        {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "be brief"}]},
        _prompt("<environment_context>"),
        _prompt("first"),
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "FAKE-OK: first"}],
        },
        _prompt("%bash ls"),
        {"type": "function_call", "name": "exec_command", "call_id": "call_5", "arguments": '{"cmd": "ls"}'},
        {"type": "function_call_output", "call_id": "call_5", "output": "Exit code: 0\nOutput:\na\n"},
    ]
    assert read_talk({"input": items}) == Talk("%bash ls", earlier=("first",), results=("a\n",))


def test_a_call_is_streamed_whole() -> None:
    call: Object = {
        "type": "function_call",
        "id": "fc_1",
        "call_id": "call_1",
        "name": "exec_command",
        "arguments": '{"cmd": "ls"}',
        "status": "completed",
    }
    response: Object = {"id": "resp_fc_1", "object": "response", "model": "m"}
    usage: Object = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    assert _ask("%bash ls", TOOLS) == (
        {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": {**call, "status": "in_progress"}},
        {"type": "response.output_item.done", "output_index": 0, "item": call},
        {
            "type": "response.completed",
            "response": {**response, "status": "completed", "output": [call], "usage": usage},
        },
    )


def test_a_call_may_ask_the_user_first() -> None:
    (item,) = (
        event["item"] for event in _ask("%ask ls", TOOLS) if event["type"] == "response.output_item.done"
    )
    assert isinstance(item, dict)
    assert json.loads(str(item["arguments"])) == {
        "cmd": "ls",
        "sandbox_permissions": "require_escalated",
        "justification": "a fake step",
    }


def test_a_file_is_written_by_the_shell() -> None:
    (item,) = (
        event["item"] for event in _ask("%write /p/x", TOOLS) if event["type"] == "response.output_item.done"
    )
    assert isinstance(item, dict)
    assert item["arguments"] == """{"cmd": "echo 'written by the fake model' > /p/x"}"""


def test_a_request_without_tools_gets_a_title() -> None:
    (item,) = (
        event["item"] for event in _ask("%bash ls", []) if event["type"] == "response.output_item.done"
    )
    assert isinstance(item, dict)
    assert item["content"] == [{"type": "output_text", "text": "Fake title", "annotations": []}]


def test_there_are_no_websockets_and_no_models() -> None:
    assert answer(Request("GET", "/v1/responses", {}, "right")).status == 426
    assert answer(Request("GET", "/v1/models", {}, "right")) == Reply(
        {"object": "list", "data": [], "models": []}
    )
    assert answer(Request("POST", "/v1/other", {}, "right")) == Reply({})
