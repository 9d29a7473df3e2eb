agent <<'END'
#!/bin/sh
echo 'Half of it.' >>README.md
[ -e ~/warned ] && exit
touch ~/warned
echo 'The tests do not build.'
exit 1
END
project
