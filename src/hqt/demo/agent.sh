#!/bin/sh
# The demo's agent: tries what it may and what it must not, says how each went, then waits for its end.
# MARK names what it would leave outside. hqt.demo.acts knows these lines by their words.
mark=$1

try() { # WHAT COMMAND...: say whether the command could be done, and what it said
    what=$1
    shift
    if said=$("$@" 2>&1); then
        echo "done: $what${said:+ ($said)}"
    else
        said=${said##*: } # the reason alone, without the names before it
        echo "refused: $what${said:+ ($said)}"
    fi
}

append() { # FILE
    echo "the demo's agent was here" >>"$1"
}

ways_out() { # the devices that a route leads to, but for loopback
    while read -r device _; do echo "$device"; done </proc/net/route
    while read -r _ _ _ _ _ _ _ _ _ device; do echo "$device"; done </proc/net/ipv6_route
}

network() { # which one it is, and the ways out of it
    readlink /proc/self/ns/net
    ways_out 2>/dev/null | sort -u | while read -r device; do
        case $device in Iface | lo) ;; *) echo "$device" ;; esac
    done
}

try "write notes.txt in the project" append notes.txt
echo "agent: run $(cat notes.txt 2>/dev/null | wc -l)"
try "read ~/.ssh/id_ed25519" cat ~/.ssh/id_ed25519
try "read ~/other/plan.txt, another project" cat ~/other/plan.txt
try "read the shell's DEMO_TOKEN" printenv DEMO_TOKEN
try "write ~/.profile" append ~/.profile
try "write in /usr" append "/usr/$mark"
try "write in /etc" append "/etc/$mark"
echo "network: $(network | tr '\n' ' ')"
trap 'echo "agent: asked to end, ending"; kill $!; exit 0' TERM
echo "agent: waiting"
while :; do # in small steps, as a shell hears no signal while it waits for another program
    sleep 60 &
    wait $!
done
