package operation_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

// script is a transport in Go: it counts its calls and answers by a function.
type script struct {
	submits, observes int
	answer            func(context.Context, operation.Call) ([]byte, error)
}

func (s *script) Submit(ctx context.Context, call operation.Call) ([]byte, error) {
	s.submits++
	return s.answer(ctx, call)
}

func (s *script) Observe(ctx context.Context, call operation.Call) ([]byte, error) {
	s.observes++
	return s.answer(ctx, call)
}

func submitCall() operation.Call {
	return operation.Call{Binding: testBinding(), Payload: jsontext.Value(`{ "prompt": "Repair" }`), Deadline: time.Minute, MaxOutputBytes: operation.MinOutputBytes}
}

func observeCall() operation.Call {
	call := submitCall()
	call.Payload = nil
	return call
}

func TestDispatchParsesTheAnswer(t *testing.T) {
	want := must(operation.NewAccepted(testBinding(), 1, acceptance))
	var seen operation.Call
	transport := &script{answer: func(_ context.Context, call operation.Call) ([]byte, error) {
		seen = call
		return append([]byte("  "), want.Canonical()...), nil
	}}
	got, err := operation.Dispatch(t.Context(), transport, operation.Submit, submitCall())
	if err != nil || got != want || transport.submits != 1 || transport.observes != 0 {
		t.Errorf("submit: got %+v, %v after %d and %d calls", got, err, transport.submits, transport.observes)
	}
	if string(seen.Payload) != `{"prompt":"Repair"}` {
		t.Errorf("payload arrived as %s", seen.Payload)
	}
	got, err = operation.Dispatch(t.Context(), transport, operation.Observe, observeCall())
	if err != nil || got != want || transport.submits != 1 || transport.observes != 1 || seen.Payload != nil {
		t.Errorf("observe: got %+v, %v", got, err)
	}
}

func TestDispatchGivesAwayCopies(t *testing.T) {
	call := submitCall()
	transport := &script{answer: func(_ context.Context, call operation.Call) ([]byte, error) {
		clear(call.Payload)
		call.Binding.OperationID = "other"
		return must(operation.NewUnknown(testBinding(), 0, operation.Missing)).Canonical(), nil
	}}
	if _, err := operation.Dispatch(t.Context(), transport, operation.Submit, call); err != nil {
		t.Fatal(err)
	}
	if before := submitCall(); string(call.Payload) != string(before.Payload) || call.Binding != before.Binding {
		t.Errorf("the transport changed the caller's call to %+v", call)
	}
}

func TestDispatchRefusesBeforeAnyCall(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	with := func(change func(*operation.Call)) operation.Call {
		call := submitCall()
		change(&call)
		return call
	}
	for name, c := range map[string]struct {
		ctx    context.Context
		action operation.Action
		call   operation.Call
		want   fault.Condition
	}{
		"cancelled":           {cancelled, operation.Submit, submitCall(), fault.Cancelled},
		"late":                {late, operation.Submit, submitCall(), fault.Deadline},
		"another action":      {t.Context(), "recover", observeCall(), fault.Malformed},
		"no payload":          {t.Context(), operation.Submit, observeCall(), fault.Malformed},
		"observe and payload": {t.Context(), operation.Observe, submitCall(), fault.Malformed},
		"another payload":     {t.Context(), operation.Submit, with(func(c *operation.Call) { c.Payload = jsontext.Value("1") }), fault.BindingMismatch},
		"no binding":          {t.Context(), operation.Submit, with(func(c *operation.Call) { c.Binding = operation.Binding{} }), fault.Malformed},
		"short deadline":      {t.Context(), operation.Submit, with(func(c *operation.Call) { c.Deadline = operation.MinDeadline - 1 }), fault.Malformed},
		"long deadline":       {t.Context(), operation.Submit, with(func(c *operation.Call) { c.Deadline = operation.MaxDeadline + 1 }), fault.Malformed},
		"small output":        {t.Context(), operation.Submit, with(func(c *operation.Call) { c.MaxOutputBytes = operation.MinOutputBytes - 1 }), fault.Malformed},
		"large output":        {t.Context(), operation.Submit, with(func(c *operation.Call) { c.MaxOutputBytes = operation.MaxOutputBytes + 1 }), fault.Malformed},
	} {
		transport := &script{answer: func(context.Context, operation.Call) ([]byte, error) { return nil, errors.New("reached") }}
		if _, err := operation.Dispatch(c.ctx, transport, c.action, c.call); !fault.Is(err, c.want) {
			t.Errorf("%s: got %v", name, err)
		}
		if transport.submits+transport.observes != 0 {
			t.Errorf("%s: the transport was called", name)
		}
	}
	for _, call := range []operation.Call{
		with(func(c *operation.Call) { c.Deadline = operation.MinDeadline }),
		with(func(c *operation.Call) { c.Deadline = operation.MaxDeadline }),
		with(func(c *operation.Call) { c.MaxOutputBytes = operation.MaxOutputBytes }),
	} {
		if _, err := call.Request(operation.Submit); err != nil {
			t.Errorf("at a bound: %v", err)
		}
	}
}

func TestDispatchErrors(t *testing.T) {
	other := testBinding()
	other.AuthorityID = "ledger-002"
	for name, c := range map[string]struct {
		text []byte
		err  error
		want fault.Condition
	}{
		"no JSON":         {[]byte("secret"), nil, fault.Malformed},
		"another binding": {must(operation.NewUnknown(other, 0, operation.Missing)).Canonical(), nil, fault.BindingMismatch},
		"coded":           {nil, fmt.Errorf("wrapped: %w", fault.New(fault.AdapterFailed, "coded")), fault.AdapterFailed},
		"uncoded":         {nil, errors.New("secret"), fault.Uncoded},
		"own time-out":    {nil, context.DeadlineExceeded, fault.Uncoded},
	} {
		transport := &script{answer: func(context.Context, operation.Call) ([]byte, error) { return c.text, c.err }}
		outcome, err := operation.Dispatch(t.Context(), transport, operation.Observe, observeCall())
		if !fault.Is(err, c.want) || outcome != (operation.Outcome{}) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %+v, %v", name, outcome, err)
		}
		if c.err != nil && !errors.Is(err, c.err) {
			t.Errorf("%s: the cause is lost", name)
		}
		if transport.observes != 1 {
			t.Errorf("%s: %d calls", name, transport.observes)
		}
	}
}

func TestDispatchStops(t *testing.T) {
	unknown := must(operation.NewUnknown(testBinding(), 0, operation.Missing))
	obedient := func(ctx context.Context, _ operation.Call) ([]byte, error) {
		<-ctx.Done()
		return nil, fmt.Errorf("gave up: %w", ctx.Err())
	}
	deaf := func(context.Context, operation.Call) ([]byte, error) {
		time.Sleep(time.Hour)
		return nil, nil
	}
	winding := func(ctx context.Context, _ operation.Call) ([]byte, error) {
		<-ctx.Done()
		time.Sleep(operation.JoinGrace - time.Millisecond)
		return unknown.Canonical(), nil
	}
	for name, c := range map[string]struct {
		answer      func(context.Context, operation.Call) ([]byte, error)
		cancelAfter time.Duration
		elapsed     time.Duration
		want        fault.Condition
	}{
		"deadline":         {obedient, time.Hour, time.Minute, fault.Deadline},
		"cancel":           {obedient, time.Second, time.Second, fault.Cancelled},
		"deadline ignored": {deaf, time.Hour, time.Minute + operation.JoinGrace, fault.Deadline},
		"cancel ignored":   {deaf, time.Second, time.Second + operation.JoinGrace, fault.Cancelled},
		"late evidence":    {winding, time.Hour, time.Minute + operation.JoinGrace - time.Millisecond, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(c.cancelAfter, cancel)
				start := time.Now()
				outcome, err := operation.Dispatch(ctx, &script{answer: c.answer}, operation.Submit, submitCall())
				if c.want == 0 && (err != nil || outcome != unknown) || c.want != 0 && !fault.Is(err, c.want) {
					t.Errorf("got %+v, %v", outcome, err)
				}
				if elapsed := time.Since(start); elapsed != c.elapsed {
					t.Errorf("returned after %v, want %v", elapsed, c.elapsed)
				}
				cancel()
				time.Sleep(2 * time.Hour) // an abandoned transport ends
			})
		})
	}
}
