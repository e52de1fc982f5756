"""The fake speaks the Chat Completions API."""

from tests.fakes.chat import answer, read_talk
from tests.fakes.http import Json, Object, Reply, Request
from tests.fakes.script import Talk

TOOLS: Json = [{"type": "function", "function": {"name": "run_shell_command"}}]
USAGE: Object = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


def _ask(prompt: str, **body: Json) -> Reply:
    messages: Json = [{"role": "user", "content": prompt}]
    return answer(
        Request("POST", "/v1/chat/completions", {"model": "m", "messages": messages, **body}, "right")
    )


def _call(name: str, arguments: str) -> Object:
    function: Object = {"name": name, "arguments": arguments}
    called: Object = {"index": 0, "id": "call_1", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [called]}


def test_a_conversation_is_read_whole() -> None:
    messages: Json = [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "This is the Qwen Code. We are setting up the context for our chat."},
        {"role": "user", "content": "first"},
        {"role": "assistant", "content": "FAKE-OK: first"},
        {"role": "user", "content": [{"type": "text", "text": "%bash ls"}]},
        _call("run_shell_command", "{}"),
        {"role": "tool", "tool_call_id": "call_1", "content": "Command: ls\nOutput: a\nError: (none)\n"},
    ]
    assert read_talk({"messages": messages}) == Talk("%bash ls", earlier=("first",), results=("a",))


def test_an_answer_is_one_completion() -> None:
    message: Object = {"role": "assistant", "content": "FAKE-OK: hi"}
    assert _ask("hi", tools=TOOLS).body == {
        "id": "chat_1",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": USAGE,
    }


def test_a_stream_builds_the_same_message() -> None:
    head: Object = {"id": "chat_1", "object": "chat.completion.chunk", "created": 0, "model": "m"}
    call = _call("run_shell_command", '{"command": "ls", "description": "fake step", "is_background": false}')
    said: Object = {"index": 0, "delta": call, "finish_reason": None}
    ended: Object = {"index": 0, "delta": {}, "finish_reason": "tool_calls"}
    assert _ask("%bash ls", tools=TOOLS, stream=True).events == (
        {**head, "choices": [said]},
        {**head, "choices": [ended], "usage": USAGE},
    )


def test_a_file_is_written_by_its_own_tool() -> None:
    call = _call("write_file", '{"file_path": "/p/x", "content": "written by the fake model\\n"}')
    (said, _) = _ask("%write /p/x", tools=TOOLS, stream=True).events
    assert said["choices"] == [{"index": 0, "delta": call, "finish_reason": None}]


def test_a_request_without_tools_gets_a_title_and_all_else_an_empty_object() -> None:
    assert "Fake title" in str(_ask("%bash ls").body)
    assert answer(Request("GET", "/v1/models", {}, "right")) == Reply({})
