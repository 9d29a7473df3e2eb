//go:build linux || darwin

package main

import (
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
)

const errorSchema = "git-algal.error/1"

// A failure is a refusal as it is printed.
type failure struct {
	Schema string       `json:"schema"`
	Error  failureError `json:"error"`

	verb string
	ways []way
}

type failureError struct {
	Code    fault.Code `json:"code"`
	Kind    fault.Kind `json:"kind"`
	Message string     `json:"message"`
	Next    string     `json:"next"`
}

func newFailure(verb string, err error) failure {
	e, ok := fault.Of(err)
	if !ok {
		e = fault.New(fault.HostFailed, "%w", err)
	}
	f := failure{Schema: errorSchema, verb: verb}
	f.Error = failureError{
		Code: e.Condition.Code(), Kind: e.Condition.Kind(),
		Message: strings.ToValidUTF8(err.Error(), "\uFFFD"), Next: strings.ToValidUTF8(e.Next, "\uFFFD"),
	}
	return f
}

func (f failure) writeText(p *page) {
	subject := "git algal"
	if f.verb != "" {
		subject += " " + f.verb
	}
	code := ""
	if f.Error.Code != "" {
		code = " [" + string(f.Error.Code) + "]"
	}
	p.line("%s: %s%s", subject, forPeople(f.Error.Message), code)
	if f.Error.Next != "" && len(f.ways) == 0 { // the ways say the same, ready to type
		p.line("next: %s", forPeople(f.Error.Next))
	}
	writeWays(p, f.ways)
}
