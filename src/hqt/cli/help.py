"""What `hqt --help` prints, made without the commands and without click: it is asked for before all else."""

USAGE = "hqt [OPTIONS] [COMMAND] [ARGS]..."

_ABOUT = """\
Headquarters for coding agents: start, keep, jail and resume them.

Without a command, in a terminal: open the screen, which shows every
session and lets you enter each."""

_OPTIONS = {
    "--version": "Show the version and exit.",
    "--debug": "Log what the screen does in detail.",
    "-h, --help": "Show this message and exit.",
}

COMMANDS = {
    "new": "Start an agent in a folder, on request in a jail.",
    "list": "List the sessions, oldest first.",
    "show": "Show all that is known of one session.",
    "status": "Say what a session's agent does, and by which evidence.",
    "capture": "Print what is on a session's screen.",
    "send": "Type a text into a session and submit it.",
    "wait": "Wait until every session is idle, waiting or exited.",
    "attach": "Enter a session's screen; ctrl-q returns.",
    "stop": "End agents; anything still running after 5 s is killed.",
    "resume": "Bring a session back with its conversation.",
    "fork": "Start a session with a copy of another's conversation.",
    "adopt": "List conversations started elsewhere, and take one over.",
    "rename": "Rename a session.",
    "mute": "Silence a session's notices, or hear them again.",
    "move": "Tell a session where its folder is now.",
    "rm": "Stop sessions and forget them.",
    "sandbox": "Run a command in a jail, or explain one.",
    "doctor": "Check what works here, with remedies.",
    "demo": "Watch a jailed agent start, try to get out, and come back.",
    "prune": "Free what ended sessions and unused caches hold.",
}

_EXAMPLES = {
    "hqt new ~/src/shop -s": "a jailed agent in ~/src/shop",
    "hqt list": "the sessions and what they do",
    "hqt attach shop-claude": "enter its screen; ctrl-q returns",
}


def text() -> str:
    """The whole page, without a line break at its end."""
    about = "\n".join(f"  {line}".rstrip() for line in _ABOUT.splitlines())
    examples = "\n".join(f"    {command:30} {what}" for command, what in _EXAMPLES.items())
    return (
        f"Usage: {USAGE}\n\n{about}\n\nOptions:\n{_listed(_OPTIONS)}\n\nCommands:\n{_listed(COMMANDS)}\n\n"
        f"  Examples:\n{examples}"
    )


def _listed(entries: dict[str, str]) -> str:
    wide = max(map(len, entries))
    return "\n".join(f"  {name:{wide}}  {what}" for name, what in entries.items())
