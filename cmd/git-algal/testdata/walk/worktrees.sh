agent <<'END'
#!/bin/sh
task=$(cat)
echo "$task" >"$task"
END
project
mkdir ~/tasks
for n in 1 2 3 4 5 6 7 8 9 10; do
	printf 'task-%s' "$n" >~/tasks/$n
done
