"""Keys in a field, in the order in which they were pressed."""

from textual import events
from textual.widget import Widget
from textual.widgets import Input


async def do_at_once(field: Widget, event: events.Key) -> None:
    """Do what the field itself binds to the key, before the next key is looked at.

    Textual 8.2.8 lets a key with a binding first climb to the screen, while a letter is put in at once: of
    what comes in one read, as over ssh, `ab`, backspace, `c` became `ab`.
    """
    for binding in field._bindings.key_to_bindings.get(event.key, ()):
        if not binding.priority and await field.app.run_action(binding.action, field):
            event.stop()
            event.prevent_default()
            return


class Line(Input):
    """A field of one line."""

    async def _on_key(self, event: events.Key) -> None:
        await do_at_once(self, event)
