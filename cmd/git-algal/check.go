//go:build linux || darwin

package main

import (
	"context"
	"strings"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
)

const checkSchema = "git-algal.check/1"

func checkVerb() verb {
	return verb{
		name: "check", usage: "say whether this checkout would be admitted as it stands, and if not, why",
		details: "The way is how the answer was found: \"own\" from the files alone, \"git\" where\n" +
			"conversions or filters are in use and git had to be asked.",
		run: check,
	}
}

// A checkDocument says whether a checkout would be admitted. What a refusal
// kept from being known is null.
type checkDocument struct {
	Schema       string         `json:"schema"`
	Admissible   bool           `json:"admissible"`
	Way          *gitplumb.Way  `json:"way"`
	Workspace    *string        `json:"workspace"`
	Head         *string        `json:"head"`
	Tree         *string        `json:"tree"`
	GitDirectory *string        `json:"gitDirectory"`
	RawDigest    *canon.Digest  `json:"rawDigest"`
	StatusDigest *canon.Digest  `json:"statusDigest"`
	Status       *[]checkStatus `json:"status"`
	Refusals     []checkRefusal `json:"refusals"`
	Store        *string        `json:"store"`
	Claim        canon.Digest   `json:"claim,omitzero"`

	refusals []*fault.Error
	ways     []way
}

type checkStatus struct {
	XY      string `json:"xy"`
	Path    string `json:"path"`
	Escaped bool   `json:"escaped,omitzero"` // Path is not UTF-8 and was escaped

	path string // as git has it
}

type checkRefusal struct {
	Code    fault.Code `json:"code"`
	Feature string     `json:"feature"`
	Message string     `json:"message"`
}

// check always answers with the whole document: a refusal is an answer.
func check(ctx context.Context, in *invocation) (answer, error) {
	var found jobs.Check
	store := ""
	s, err := in.openSite(ctx, withGit)
	if err == nil {
		defer s.close()
		store = s.store.root
		var c *checkout
		if c, err = s.standing(ctx); err == nil {
			found, err = s.service.Check(ctx, c.repo)
			s.warnUnproven(ctx)
		}
	}
	refusal, ok := fault.Of(err)
	switch {
	case err != nil && (!ok || refusal.Condition == fault.Usage):
		return answer{}, err
	case err != nil && len(found.Refusals) == 0:
		found.Refusals = []*fault.Error{refusal}
	}
	return answer{document: newCheckDocument(found, store), exit: exitOf(err)}, nil
}

func newCheckDocument(c jobs.Check, store string) *checkDocument {
	d := &checkDocument{
		Schema: checkSchema, Admissible: c.Admissible, Claim: c.Claim, Way: known(c.Way),
		Workspace: knownPath(c.Identity.Workspace), GitDirectory: knownPath(c.Identity.GitDirectory), Store: knownPath(store),
		Head: known(c.Head.Commit), Tree: known(c.Head.Tree),
		RawDigest: known(c.RawDigest), StatusDigest: known(c.StatusDigest),
		Refusals: []checkRefusal{}, refusals: c.Refusals,
	}
	if c.StatusDigest != "" {
		entries := []checkStatus{}
		for _, e := range c.Status {
			path, escaped := jsonPath(e.Path)
			entries = append(entries, checkStatus{e.XY, path, escaped, e.Path})
		}
		d.Status = &entries
	}
	for _, r := range c.Refusals {
		message := strings.ToValidUTF8(r.Message, "\uFFFD")
		d.Refusals = append(d.Refusals, checkRefusal{r.Condition.Code(), r.Condition.String(), message})
		if r.Condition == fault.NotClean {
			d.ways = waysOn(c.Identity.Workspace)
		}
	}
	return d
}

// known returns nil for what is not known.
func known[T ~string](value T) *T {
	if value == "" {
		return nil
	}
	return &value
}

func knownPath(path string) *string {
	text, _ := jsonPath(path)
	return known(text)
}

func (d *checkDocument) writeText(p *page) {
	subject := "this directory"
	if d.Workspace != nil {
		subject = shown(*d.Workspace)
	}
	if d.Admissible {
		p.line("%s: %s would be admitted", p.tinted(green, "yes"), subject)
	} else {
		p.line("%s: %s would not be admitted", p.tinted(red, "no"), subject)
	}
	for _, r := range d.refusals {
		p.line("  %s [%s]", forPeople(r.Message), r.Condition.Code())
		if r.Next != "" && (r.Condition != fault.NotClean || len(d.ways) == 0) {
			p.line("    next: %s", forPeople(r.Next))
		}
	}
	var facts [][]string
	for _, fact := range []struct {
		name  string
		value *string
	}{
		{"head", d.Head}, {"tree", d.Tree}, {"store", d.Store}, {"way", (*string)(d.Way)},
	} {
		if fact.value != nil {
			facts = append(facts, []string{"  " + fact.name, shown(*fact.value)})
		}
	}
	if d.Claim != "" {
		facts = append(facts, []string{"  claim", "job " + shortID(d.Claim)})
	}
	p.table(facts...)
	if d.Status != nil {
		for _, e := range *d.Status {
			p.line("  %s %s", e.XY, shown(e.path))
		}
	}
	writeWays(p, d.ways)
}
