-- A database of version 4 as hqt made it from one of version 3, with rows; the session with id 3 was removed.
PRAGMA user_version = 4;
BEGIN TRANSACTION;
CREATE TABLE project (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    path TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL
);
CREATE TABLE session (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    project_id INTEGER NOT NULL REFERENCES project (id),
    cwd TEXT NOT NULL,
    harness TEXT NOT NULL,
    args TEXT NOT NULL,
    env_names TEXT NOT NULL,
    conversation TEXT,
    conversation_source TEXT,
    note TEXT,
    phase TEXT NOT NULL CHECK (phase IN ('starting', 'running', 'stopped', 'exited')),
    exit_code INTEGER,
    exit_signal INTEGER,
    created_at TEXT NOT NULL,
    started_at TEXT,
    ended_at TEXT,
    sandbox_json TEXT,
    former TEXT NOT NULL DEFAULT '[]',
    roots TEXT,
    copy_of TEXT
);
INSERT INTO project VALUES (1, '0a1b2c3d', '/srv/blog', 'blog');
INSERT INTO session VALUES (
    1, '11111111', 'blog-claude', 1, '/srv/blog', 'claude', '["--model", "opus"]', '["NPM_TOKEN"]',
    '6f3c1f0e-2f0c-4c55-9d63-0d6c0f3f7a10', 'minted', NULL, 'exited', 0, NULL,
    '2026-06-01T08:00:00Z', '2026-06-01T08:00:01Z', '2026-06-01T09:30:00Z', '{"fs": "ro", "net": false}',
    '["0e1f2a3b-1c2d-4e3f-8a4b-5c6d7e8f9a0b"]', '["CLAUDE_CONFIG_DIR=/srv/claude"]',
    '2d4e6f80-3b5c-4a7d-9e1f-0a1b2c3d4e5f'
);
INSERT INTO session VALUES (
    2, '22222222', 'prüfung [x]', 1, '/home/u/link to blog', 'generic', '[]', '[]',
    NULL, NULL, 'the tests', 'stopped', NULL, 15,
    '2026-06-02T08:00:00Z', '2026-06-02T08:00:01Z', '2026-06-02T08:05:00Z', NULL, '[]', NULL, NULL
);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('project', 1), ('session', 3);
COMMIT;
