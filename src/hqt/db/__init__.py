"""The database: its schema, migrations, the writing engine and the fast reader."""
