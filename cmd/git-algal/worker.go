//go:build linux || darwin

package main

import (
	"encoding/json"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation/xcb"
)

// A v1 job has an xcb worker in place of an adapter. It is no operation: there
// is nothing to derive an id for, and nothing to look up later.

const (
	flagXCB     = "xcb"
	flagAccount = "account"
	flagModel   = "model"
)

func workerFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: flagXCB, Usage: "admit a v1 job, which the xcb worker `FILE` does; an absolute path"},
		&cli.StringFlag{Name: flagAccount, Usage: "have the worker use the account `NAME`; other users can see it in the list of processes"},
		&cli.StringFlag{Name: flagModel, Usage: "have the worker use the model `NAME`"},
	}
}

// givesWorker reports whether the flags say anything of a worker.
func (in *invocation) givesWorker() bool {
	return in.flags.IsSet(flagXCB) || in.flags.IsSet(flagAccount) || in.flags.IsSet(flagModel)
}

// worker returns the worker that the flags name, nil where they name none.
// Whether its routing is within bounds is Prepare's to check. The error is
// fault.Usage and never quotes account or model.
func (in *invocation) worker() (*xcb.Worker, error) {
	if !in.flags.IsSet(flagXCB) {
		for _, routing := range []string{flagAccount, flagModel} {
			if in.flags.IsSet(routing) {
				return nil, fault.New(fault.Usage, "flag %q needs %q: an adapter chooses by itself", dashed(routing), dashed(flagXCB))
			}
		}
		return nil, nil
	}
	for _, other := range []string{flagAdapter, flagOperation, flagAttempt, flagLike} {
		if in.flags.IsSet(other) {
			return nil, fault.New(fault.Usage, "flags %q and %q exclude each other", dashed(flagXCB), dashed(other))
		}
	}
	w := &xcb.Worker{Executable: in.flags.String(flagXCB)}
	if !filepath.IsAbs(w.Executable) {
		return nil, fault.New(fault.Usage, "flag %q is %q, which is no absolute path", dashed(flagXCB), w.Executable)
	}
	if in.flags.IsSet(flagAccount) {
		account := in.flags.String(flagAccount)
		w.Account = &account
	}
	if in.flags.IsSet(flagModel) {
		model := in.flags.String(flagModel)
		w.Model = &model
	}
	return w, nil
}

// parseOrder reads the closed options object of either version. The adapter of
// a v2 job names its protocol, and that of a v1 job cannot; a text that has
// neither is left to the v2 form to refuse.
func parseOrder(text []byte) (jobs.Options, error) {
	var form struct {
		Adapter *struct {
			Protocol json.RawMessage `json:"protocol"`
		} `json:"adapter"`
	}
	if json.Unmarshal(text, &form) == nil && form.Adapter != nil && form.Adapter.Protocol == nil {
		return jobs.ParseOptionsV1(text)
	}
	return jobs.ParseOptions(text)
}
