agent <<'END'
#!/bin/sh
echo 'Run ./hello to be greeted.' >>README.md
grep -q 'Do not commit' || git commit -q -a -m 'Agent was here'
END
project
