"""The screen: the Textual application."""
