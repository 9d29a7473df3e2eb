# The agent is what breaks the connection, so that it breaks in time.
agent <<'END'
#!/bin/sh
host=$(sed -n 's/^PPid:[[:space:]]*//p' /proc/$PPID/status)
kill -HUP "$host"
for n in $(seq 600); do
	[ -e ~/go ] && break
	sleep 0.05
done
echo 'All of it.' >>README.md
END
project
