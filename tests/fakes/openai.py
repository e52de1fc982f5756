"""The Responses API as Codex uses it (Codex 0.171.0): streamed, over HTTP."""

import json

from tests.fakes.http import Object, Reply, Request, blocks, text_of
from tests.fakes.script import Bash, Say, Talk, Write, next_step

# the line after which Codex puts what a command printed; before it stand its times and exit code
_OUTPUT = "\nOutput:\n"


def answer(request: Request) -> Reply:
    """The reply to any request; what is not a response or the list of models gets an empty object."""
    if request.path.endswith("/models"):
        return Reply({"object": "list", "data": [], "models": []})
    if request.method == "GET" and request.path.endswith("/responses"):
        return Reply({"error": {"message": "no websockets here"}}, status=426)
    if not request.path.endswith("/responses"):
        return Reply({})
    return Reply(events=_events(request.body))


def read_talk(body: Object) -> Talk:
    """The conversation that a request tells."""
    talk = Talk()
    for item in blocks(body.get("input")):
        if item.get("type") == "function_call_output":
            talk = talk.answered(text_of(item.get("output")).split(_OUTPUT, 1)[-1])
        elif item.get("role") == "user":
            for part in blocks(item.get("content")):
                talk = talk.said(text_of(part.get("text")))
    return talk


def _item(body: Object) -> Object:
    """The one thing that the model puts out."""
    # requests on the side, such as for a title, offer no tools
    step = next_step(read_talk(body)) if body.get("tools") else Say("Fake title")
    number = len(blocks(body.get("input")))  # makes ids that never meet within a conversation
    if isinstance(step, Say):
        return {
            "type": "message",
            "id": f"msg_{number}",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": step.text, "annotations": []}],
        }
    return {
        "type": "function_call",
        "id": f"fc_{number}",
        "call_id": f"call_{number}",
        "name": "exec_command",
        "arguments": json.dumps({"cmd": step.command} | _asking(step)),
        "status": "completed",
    }


def _asking(step: Bash | Write) -> Object:
    if isinstance(step, Write) or not step.asks:
        return {}
    return {"sandbox_permissions": "require_escalated", "justification": "a fake step"}


def _events(body: Object) -> tuple[Object, ...]:
    item = _item(body)
    response: Object = {"id": f"resp_{item['id']}", "object": "response", "model": body.get("model")}
    usage: Object = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    started: Object = {**response, "status": "in_progress", "output": []}
    completed: Object = {**response, "status": "completed", "output": [item], "usage": usage}
    return (
        {"type": "response.created", "response": started},
        {"type": "response.output_item.added", "output_index": 0, "item": {**item, "status": "in_progress"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": completed},
    )
