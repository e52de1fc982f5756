"""Stand-ins for the agents, of shell: each does the one thing that its report is about."""

# ids and transcripts as Claude Code 2.1.197 has them: it takes no id twice, resumes none that it does not
# know, writes the transcript with the first message, and refuses to skip permissions as root
CLAUDE = r"""
case " $* " in *" --dangerously-skip-permissions "*)
    if [ "$(id -u)" = 0 ] && [ -z "$IS_SANDBOX" ]; then
        echo "--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons"
        exit 1
    fi;;
esac
[ -f "$HOME/.claude.json" ] || echo WIZARD
grep -q '"hasCompletedOnboarding": *true' "$HOME/.claude.json" || echo WIZARD
[ -f "$HOME/.claude/.credentials.json" ] || echo LOGIN
echo "argv $*"
how= id= said=
while [ $# -gt 0 ]; do
    case $1 in
    --session-id) how=new id=$2; shift;;
    --resume) how=resume id=$2; shift;;
    --) said=$2;;
    esac
    shift
done
folder=$HOME/.claude/projects/$(pwd | sed 's/[^a-zA-Z0-9]/-/g')
file=$folder/$id.jsonl
if [ $how = new ] && [ -e "$file" ]; then echo "Error: Session ID $id is already in use."; exit 1; fi
if [ $how = resume ] && [ ! -e "$file" ]; then echo "No conversation found with session ID: $id"; exit 1; fi
[ $how = resume ] && sed 's/^/remembered /' "$file"
say() { mkdir -p "$folder"; echo "{\"type\":\"user\",\"message\":\"$1\"}" >> "$file"; echo "said $1"; }
[ -n "$said" ] && say "$said"
echo ready
while read -r line; do say "$line"; done
"""

# what claude does to its state all day: write beside, rename over, with a folder as the lock
RENAMES = r"""
n=0
while [ $n -lt 200 ]; do
    n=$((n + 1))
    while ! mkdir "$HOME/.claude.json.lock" 2>/dev/null; do sleep 0.01; done
    who=${HQT_SANDBOX:-plain}
    echo "{\"hasCompletedOnboarding\": true, \"who\": \"$who\", \"n\": $n}" > "$HOME/.claude.json.tmp"
    mv "$HOME/.claude.json.tmp" "$HOME/.claude.json" || { echo "FAILED at $n"; exec cat; }
    rmdir "$HOME/.claude.json.lock"
done
echo "DONE $n"
exec cat
"""

# logins and older chats in a database with a -wal beside it
KIRO = r"""
[ "$2" = --help ] && exit 0
store=$HOME/.local/share/kiro-cli
[ -f "$store/data.sqlite3" ] || { echo "not logged in"; exit 1; }
echo chat >> "$store/data.sqlite3-wal" || { echo "no wal"; exit 1; }
echo "argv $*"
exec cat
"""
