"""What `--harness` may be, in words; apart, as commands without it need not know any."""

from hqt.harnesses.registry import NAMES

HARNESSES = f"{', '.join(NAMES)}, or one that config.toml declares"
