package qualify

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/operation"
)

// wire is a request with members in any order and of any content.
type wire struct {
	Contract string         `json:"contract"`
	Action   string         `json:"action"`
	Binding  any            `json:"binding"`
	Payload  jsontext.Value `json:"payload,omitzero"`
}

// mustRefuse sends an improper request of a fresh operation and returns why it
// was not refused, empty where it was.
func (e *examination) mustRefuse(ctx context.Context, r request, id operation.Identity, evidence *[]string) (string, error) {
	r.improper = true
	c, err := e.send(ctx, r)
	if err != nil {
		return "", err
	}
	*evidence = append(*evidence, c.said())
	if !c.refused() {
		return "it was answered", nil
	}
	if !e.report.Counted {
		return "", nil
	}
	n, err := e.quietly(ctx, id)
	if err == nil && n > 0 {
		*evidence = append(*evidence, startsOf(n))
		return "it was refused, and started the agent", nil
	}
	return "", err
}

// tryActionMatches tells the adapter one action by its arguments and another
// one by the request.
func tryActionMatches(ctx context.Context, e *examination) (result, error) {
	var evidence []string
	nobody := e.nobody()
	r, err := lookup(nobody, usualOutputBytes)
	if err != nil {
		return result{}, err
	}
	r.argv = operation.Submit
	wrong, err := e.mustRefuse(ctx, r, nobody.OperationID, &evidence)
	if err != nil {
		return result{}, err
	}
	if wrong != "" {
		return failed("the argument was submit and the request observe: "+wrong, evidence...), nil
	}
	if !e.options.Launch {
		return notTested("only submit with a lookup was tried, and refused; the other way round could launch", evidence...), nil
	}
	a, err := e.attempt(script{})
	if err != nil {
		return result{}, err
	}
	if r, err = a.submission(); err != nil {
		return result{}, err
	}
	r.argv = operation.Observe
	if wrong, err = e.mustRefuse(ctx, r, a.id(), &evidence); err != nil {
		return result{}, err
	}
	if e.report.verdictOn(answersSubmit) != Passed {
		return notTested("a submit as it has to be was refused as well", evidence...), nil
	}
	if wrong != "" {
		return failed("the argument was observe and the request submit: "+wrong, evidence...), nil
	}
	return passed(evidence...), nil
}

// tryPayloadDigest submits a payload under the binding of another one.
func tryPayloadDigest(ctx context.Context, e *examination) (result, error) {
	a, err := e.attempt(script{})
	if err != nil {
		return result{}, err
	}
	rival, err := a.rival()
	if err != nil {
		return result{}, err
	}
	stdin, err := canon.Encode(wire{operation.RequestContract, string(operation.Submit), a.binding, rival.payload})
	if err != nil {
		return result{}, err
	}
	var evidence []string
	wrong, err := e.mustRefuse(ctx, request{argv: operation.Submit, stdin: stdin, binding: a.binding, bound: a.bound}, a.id(), &evidence)
	if err != nil {
		return result{}, err
	}
	if wrong != "" {
		return failed("the payload had another digest than its binding: "+wrong, evidence...), nil
	}
	return passed(evidence...), nil
}

// tryClosedRequests sends lookups that are almost right, beside one that is.
// None of them could launch anything.
func tryClosedRequests(ctx context.Context, e *examination) (result, error) {
	about := e.nobody()
	if e.settled != nil {
		about = e.settled.binding
	}
	proper, err := lookup(about, usualOutputBytes)
	if err != nil {
		return result{}, err
	}
	c, err := e.send(ctx, proper)
	if err != nil {
		return result{}, err
	}
	if c.flaw != sound {
		return notTested("a lookup as it has to be got no sound answer either", c.said()), nil
	}
	binding, err := canon.Encode(about)
	if err != nil {
		return result{}, err
	}
	inside := func(text []byte) string { return string(text[1 : len(text)-1]) } // of an object
	members := inside(proper.stdin)
	rest := `,"contract":"` + operation.RequestContract + `"`
	var evidence, answered []string
	for _, odd := range []struct{ what, stdin string }{
		{"an additional member", `{` + members + `,"hint":true}`},
		{"an additional member in its binding", `{"action":"observe","binding":{` + inside(binding) + `,"hint":true}` + rest + `}`},
		{"a payload", `{` + members + `,"payload":{}}`},
		{"a member twice", `{` + members + `,"action":"observe"}`},
		{"no contract", `{"action":"observe","binding":` + string(binding) + `}`},
		{"another contract", `{"action":"observe","binding":` + string(binding) + `,"contract":"algal.coding-operation-request.v2"}`},
		{"text behind it", `{` + members + `}{}`},
	} {
		r := proper
		r.stdin, r.improper = []byte(odd.stdin), true
		c, err := e.send(ctx, r)
		if err != nil {
			return result{}, err
		}
		said := odd.what + ": " + c.answer()
		evidence = append(evidence, said)
		if !c.refused() {
			answered = append(answered, said)
		}
	}
	if len(answered) > 0 {
		return failed("lookups that were not as they have to be were answered", answered...), nil
	}
	return passed(evidence...), nil
}

// tryOtherRequestRefused submits another request for an operation that has
// one.
func tryOtherRequestRefused(ctx context.Context, e *examination) (result, error) {
	a, err := e.attempt(script{})
	if err != nil {
		return result{}, err
	}
	first, err := a.complete(ctx)
	if err != nil {
		return result{}, err
	}
	if !first.isTerminal() {
		return notTested("the first request was not settled", first.said()), nil
	}
	rival, err := a.rival()
	if err != nil {
		return result{}, err
	}
	r, err := rival.submission()
	if err != nil {
		return result{}, err
	}
	r.improper = true
	second, err := e.send(ctx, r)
	if err != nil {
		return result{}, err
	}
	evidence := []string{"the first request: " + first.answer(), "another one: " + second.answer()}
	if !second.refused() {
		return failed("another request for the same operation was answered", evidence...), nil
	}
	if e.report.Counted {
		n, err := e.quietly(ctx, a.id())
		if err != nil {
			return result{}, err
		}
		evidence = append(evidence, startsOf(n))
		if n > 1 {
			return failed("another request for the same operation was refused, and started the agent", evidence...), nil
		}
	}
	return passed(evidence...), nil
}

// tryOtherRequestUnknown looks the settled operation up under the digest of
// another request.
func tryOtherRequestUnknown(ctx context.Context, e *examination) (result, error) {
	return e.tryForeign(ctx, "another request", func(b operation.Binding) operation.Binding {
		b.RequestDigest = canon.DigestText("another request")
		return b
	})
}

// tryOtherAuthorityUnknown looks it up as that of another authority.
func tryOtherAuthorityUnknown(ctx context.Context, e *examination) (result, error) {
	return e.tryForeign(ctx, "another authority", func(b operation.Binding) operation.Binding {
		b.AuthorityID = "another-authority"
		return b
	})
}

func (e *examination) tryForeign(ctx context.Context, whose string, change func(operation.Binding) operation.Binding) (result, error) {
	if e.settled == nil {
		return notTested("no operation was settled that could be looked up"), nil
	}
	r, err := lookup(change(e.settled.binding), e.settled.bound)
	if err != nil {
		return result{}, err
	}
	r.improper = true
	c, err := e.send(ctx, r)
	if err != nil {
		return result{}, err
	}
	if c.knows() || c.flaw == otherBinding {
		return failed("the operation was answered for as that of "+whose, c.said()), nil
	}
	if c.flaw != sound && c.flaw != unanswered {
		return notTested("the answer was no outcome of the request", c.said()), nil
	}
	return passed(c.said()), nil
}
