package qualify

import (
	"context"
	"fmt"
	"time"
)

// tryKilledSubmit kills the adapter in the middle of a submit, so that its
// reply is lost: once while the agent works, where that can be seen, and at
// moments spread over the time that an ordinary submit takes. Afterwards the operation is looked
// up and submitted again, which must not start the agent a second time.
func tryKilledSubmit(ctx context.Context, e *examination) (result, error) {
	var evidence []string
	for i := range e.options.Kills + 1 {
		var wrong string
		var err error
		if i == 0 {
			wrong, err = e.killWorking(ctx, &evidence)
		} else {
			wrong, err = e.killAfter(ctx, e.ordinary*time.Duration(i)/time.Duration(e.options.Kills+1), &evidence)
		}
		if err != nil {
			return result{}, err
		}
		if wrong != "" {
			return failed(wrong, evidence...), nil
		}
	}
	return passed(evidence...), nil
}

func (e *examination) killWorking(ctx context.Context, evidence *[]string) (string, error) {
	if !e.report.Scripted {
		return "", nil
	}
	a, err := e.attempt(script{Hold: true})
	if err != nil {
		return "", err
	}
	f, err := a.begin(ctx)
	if err != nil {
		return "", err
	}
	_, err = a.started(ctx, a.id())
	f.kill()
	<-f.done
	if err != nil {
		return "", err
	}
	return a.afterwards(ctx, "while the agent worked", evidence)
}

func (e *examination) killAfter(ctx context.Context, d time.Duration, evidence *[]string) (string, error) {
	a, err := e.attempt(script{})
	if err != nil {
		return "", err
	}
	f, err := a.begin(ctx)
	if err != nil {
		return "", err
	}
	err = pause(ctx, d)
	f.kill()
	<-f.done
	if err != nil {
		return "", err
	}
	return a.afterwards(ctx, fmt.Sprintf("after %v", d.Round(time.Millisecond)), evidence)
}

// afterwards looks the operation of a killed submit up, submits it again, and
// returns what is wrong, empty where nothing is.
func (a *attempt) afterwards(ctx context.Context, when string, evidence *[]string) (string, error) {
	n, err := a.quietly(ctx, a.id())
	if err != nil {
		return "", err
	}
	found, err := a.observe(ctx)
	if err != nil {
		return "", err
	}
	if a.script.Hold {
		if err := a.release(a.id()); err != nil {
			return "", err
		}
	}
	again, err := a.submit(ctx)
	if err != nil {
		return "", err
	}
	total, err := a.quietly(ctx, a.id())
	if err != nil {
		return "", err
	}
	*evidence = append(*evidence, fmt.Sprintf("killed %s: then %s; again %s; %s", when, found.said(), again.said(), startsOf(total)))
	switch {
	case total > 1:
		return "after a kill, the same request started the agent again", nil
	case n > 0 && found.isMissing():
		return "after a kill, an operation whose agent was started is said to be missing", nil
	}
	return "", nil
}
