import json
from pathlib import Path

import pytest

from hqt.harnesses.gemini.settings import answered, chosen, inferred, keeps, parsed

FILE = Path("/home/user/.gemini/settings.json")


@pytest.mark.parametrize("text", [b"", b"// a comment\n{}", b"[]", b"[" * 9000], ids=len)
def test_what_is_no_plain_json_object_is_not_read(text: bytes) -> None:
    assert parsed(text) is None


@pytest.mark.parametrize(
    ("text", "way"),
    [
        (b"{}", None),
        (b'{"security": 1}', None),
        (b'{"security": {"auth": {"selectedType": "oauth-personal"}}}', "oauth-personal"),
    ],
)
def test_the_way_that_was_chosen_is_known(text: bytes, way: str | None) -> None:
    assert chosen(parsed(text) or {}) == way


@pytest.mark.parametrize(
    ("env", "env_file", "way"),
    [
        ({}, b"", None),
        ({"GEMINI_API_KEY": ""}, b"GEMINI_API_KEY=\n#GEMINI_API_KEY=x\nMY_GEMINI_API_KEY=x", None),
        ({"GEMINI_API_KEY": "k"}, b"", "gemini-api-key"),
        ({}, b"A=1\nexport GEMINI_API_KEY = 'k'\n", "gemini-api-key"),
        ({"GEMINI_API_KEY": "k", "GOOGLE_GENAI_USE_VERTEXAI": "true"}, b"", "vertex-ai"),
        ({"GOOGLE_GENAI_USE_GCA": "true"}, b"", "oauth-personal"),
    ],
)
def test_the_environment_says_a_way(env: dict[str, str], env_file: bytes, way: str | None) -> None:
    assert inferred(env, env_file) == way


def test_an_answer_keeps_all_else() -> None:
    settings = {"ui": {"theme": "x"}, "security": {"auth": {"enforcedType": "y"}, "disableYoloMode": False}}
    assert json.loads(answered(settings, "vertex-ai")) == {
        "ui": {"theme": "x"},
        "security": {"auth": {"enforcedType": "y", "selectedType": "vertex-ai"}, "disableYoloMode": False},
    }


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (b"{}", False),
        (b'{"general": {"sessionRetention": {"maxAge": "30d"}}}', False),
        (b'{"general": {"sessionRetention": {"enabled": false}}}', True),
    ],
)
def test_conversations_are_kept_where_the_user_says_so(text: bytes, kept: bool) -> None:
    assert keeps(parsed(text) or {}) is kept
