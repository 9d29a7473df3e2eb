# Builds and installs git-algal, its manual, its completions and the JSON
# Schemas of what it prints. Everything else is done by the go command itself;
# see CONTRIBUTING.md.
#
#	make install PREFIX=$HOME/.local
#	make install DESTDIR=/tmp/package PREFIX=/usr

PREFIX  = /usr/local
DESTDIR =
GO      = go
INSTALL = install
BUILT   = git-algal
# Without it, a library's converter of documents starts with every command.
TAGS    = urfave_cli_no_docs

BINDIR  = $(PREFIX)/bin
MANDIR  = $(PREFIX)/share/man
SCHEMAS = $(PREFIX)/share/git-algal/schema
BASHDIR = $(PREFIX)/share/bash-completion/completions
ZSHDIR  = $(PREFIX)/share/zsh/site-functions
FISHDIR = $(PREFIX)/share/fish/vendor_conf.d

SECTIONS = 1 5 7

.PHONY: all install uninstall

# The go command knows what has to be built anew.
all:
	$(GO) build -trimpath -tags '$(TAGS)' -o '$(BUILT)' ./cmd/git-algal

install: all
	$(INSTALL) -d '$(DESTDIR)$(BINDIR)'
	$(INSTALL) -m 755 '$(BUILT)' '$(DESTDIR)$(BINDIR)/git-algal'
	for section in $(SECTIONS); do \
	  $(INSTALL) -d '$(DESTDIR)$(MANDIR)'/man$$section && \
	  $(INSTALL) -m 644 man/*.$$section '$(DESTDIR)$(MANDIR)'/man$$section || exit 1; \
	done
	$(INSTALL) -d '$(DESTDIR)$(SCHEMAS)'
	$(INSTALL) -m 644 man/schema/*.json '$(DESTDIR)$(SCHEMAS)'
	$(INSTALL) -d '$(DESTDIR)$(BASHDIR)' '$(DESTDIR)$(ZSHDIR)' '$(DESTDIR)$(FISHDIR)'
	$(INSTALL) -m 644 cmd/git-algal/completion/git-algal.bash '$(DESTDIR)$(BASHDIR)/git-algal'
	$(INSTALL) -m 644 cmd/git-algal/completion/git-algal.zsh '$(DESTDIR)$(ZSHDIR)/_git-algal'
	$(INSTALL) -m 644 cmd/git-algal/completion/git-algal.fish '$(DESTDIR)$(FISHDIR)/git-algal.fish'

uninstall:
	rm -f '$(DESTDIR)$(BINDIR)/git-algal'
	for section in $(SECTIONS); do \
	  for page in man/*.$$section; do \
	    rm -f '$(DESTDIR)$(MANDIR)'/man$$section/"$${page##*/}"; \
	  done; \
	done
	for schema in man/schema/*.json; do rm -f '$(DESTDIR)$(SCHEMAS)'/"$${schema##*/}"; done
	rm -f '$(DESTDIR)$(BASHDIR)/git-algal' '$(DESTDIR)$(ZSHDIR)/_git-algal' '$(DESTDIR)$(FISHDIR)/git-algal.fish'
