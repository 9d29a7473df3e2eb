# What every walk of the manual starts from: a person, an adapter called
# "agent", and what follows to make the rest with.
mkdir -p ~/src ~/.config/git-algal/adapters ~/.local/state
git config --global user.name You
git config --global user.email you@example.org
git config --global init.defaultBranch main
cat >~/.config/git-algal/adapters/agent.json <<END
{
  "protocol": "algal.coding-operation.v1",
  "authorityId": "ledger-2026",
  "executable": "$HOME/bin/ledger-adapter",
  "argvPrefix": ["$HOME/.local/state/ledger", "$HOME/bin/agent"]
}
END

# agent takes the agent's script from its input.
agent() {
	cat >~/bin/agent
	chmod +x ~/bin/agent
}

# greeter is an agent that does its task.
greeter() {
	agent <<'END'
#!/bin/sh
echo 'Run ./hello to be greeted.' >>README.md
printf '#!/bin/sh\necho Hello.\n' >hello
chmod +x hello
echo 'I wrote hello and mentioned it in the README.'
END
}

# project makes the repository, with one commit.
project() {
	git init -q ~/src/project
	cd ~/src/project
	echo 'A project.' >README.md
	printf '#!/bin/sh\necho all tests passed\n' >run-tests
	chmod +x run-tests
	git add .
	git commit -q -m First
}
