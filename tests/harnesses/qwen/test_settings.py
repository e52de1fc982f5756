import pytest

from hqt.harnesses.qwen import settings as qwen_settings

OPENAI = {"OPENAI_API_KEY": "k", "OPENAI_MODEL": "m", "OPENAI_BASE_URL": "u"}
CHOSEN: dict[str, object] = {"security": {"auth": {"selectedType": "anthropic"}}}


@pytest.mark.parametrize(
    ("args", "settings", "env", "way"),
    [
        ([], {}, {}, None),
        ([], {}, OPENAI, "openai"),
        ([], {}, {"OPENAI_API_KEY": "k", "OPENAI_MODEL": "m"}, None),
        ([], {}, {"GEMINI_API_KEY": "k", "GEMINI_MODEL": "m"}, "gemini"),
        ([], CHOSEN, OPENAI, "anthropic"),
        (["--auth-type", "vertex-ai"], CHOSEN, OPENAI, "vertex-ai"),
        (["-m", "x", "--auth-type=gemini"], CHOSEN, {}, "gemini"),
        (["--auth-type"], {"security": 1}, {}, None),
    ],
)
def test_the_way_to_log_in_is_known_as_qwen_knows_it(
    args: list[str], settings: dict[str, object], env: dict[str, str], way: str | None
) -> None:
    assert qwen_settings.way(args, settings, env) == way


def test_each_way_reads_its_own_variables() -> None:
    assert qwen_settings.variables("anthropic") == (
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_MODEL",
    )
    assert (*qwen_settings.variables("other"), *qwen_settings.variables(None)) == ()


def test_the_keys_of_the_users_providers_are_known() -> None:
    models: list[object] = [{"id": "a", "envKey": "MINE"}, {"id": "b"}, {"envKey": 1}, 1]
    settings: dict[str, object] = {"modelProviders": {"openai": models, "odd": 1}}
    assert list(qwen_settings.keys(settings)) == ["MINE"]
    assert list(qwen_settings.keys({"modelProviders": []})) == []


@pytest.mark.parametrize(
    ("settings", "holds"),
    [({}, False), ({"env": {"K": "v"}}, True), ({"security": {"auth": {"apiKey": "k"}}}, True)],
)
def test_a_key_in_the_settings_is_seen(settings: dict[str, object], holds: bool) -> None:
    assert qwen_settings.holds_key(settings) is holds


def test_one_project_alone_is_trusted() -> None:
    assert qwen_settings.trusting("/a") == b'{"/a": "TRUST_FOLDER"}'
