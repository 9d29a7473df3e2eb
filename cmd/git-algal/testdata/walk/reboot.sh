# The agent is what takes the machine down, so that it goes down in time.
agent <<'END'
#!/bin/sh
echo 'Half of it.' >>README.md
host=$(sed -n 's/^PPid:[[:space:]]*//p' /proc/$PPID/status)
kill -KILL "$host" $PPID
END
project
