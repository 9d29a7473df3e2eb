//go:build linux || darwin

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
)

// xcbLedger names the directory of a scripted-xcb: the order of a v1 job has
// no place for it.
const xcbLedger = "XCB_LEDGER"

// scriptedXCB is a v1 worker for tests. It follows the lines of the file
// "script" in its ledger:
//
//	write PATH TEXT   the work: append a line to a file of the workspace
//	stderr TEXT       what is said on standard error
//	say TEXT          what is said on standard output
//	exit STATUS       how it ends; by default 0
//
// and keeps there what it was given last, and a line for each start.
func scriptedXCB() {
	status, err := serveXCB(os.Getenv(xcbLedger), os.Args)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

func serveXCB(ledger string, args []string) (status int, err error) {
	prompt, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 0, err
	}
	for name, text := range map[string]string{
		"arguments": strings.Join(args[1:], "\n") + "\n", "environment": strings.Join(os.Environ(), "\n") + "\n", "stdin": string(prompt),
	} {
		if err := os.WriteFile(filepath.Join(ledger, name), []byte(text), 0o600); err != nil {
			return 0, err
		}
	}
	if err := appendTo(filepath.Join(ledger, "starts"), "started"); err != nil {
		return 0, err
	}
	script, err := os.Open(filepath.Join(ledger, "script"))
	if err != nil {
		return 0, err
	}
	defer script.Close()
	for lines := bufio.NewScanner(script); lines.Scan() && err == nil; {
		verb, rest, _ := strings.Cut(lines.Text(), " ")
		switch verb {
		case "write":
			path, text, _ := strings.Cut(rest, " ")
			err = appendTo(path, text) // its working directory is the workspace
		case "stderr":
			fmt.Fprintln(os.Stderr, rest)
		case "say":
			fmt.Println(rest)
		case "exit":
			status, err = strconv.Atoi(rest)
		default:
			err = fmt.Errorf("script line %q", lines.Text())
		}
	}
	return status, err
}

// TestParseOrder holds which version an options object is read as.
func TestParseOrder(t *testing.T) {
	common := `"expectedHead":"` + strings.Repeat("1", 40) + `","prompt":"x","workspace":"/w"`
	v1 := `{"adapter":{"executable":"/xcb","model":"m"},` + common + `}`
	v2 := `{"adapter":{"argvPrefix":[],"authorityId":"a","executable":"/x","protocol":"algal.coding-operation.v1"},"operationId":"o",` + common + `}`
	if o, err := parseOrder([]byte(v1)); err != nil || o.XCB == nil || *o.XCB.Model != "m" || o.OperationID != "" {
		t.Errorf("v1: %+v, %v", o, err)
	}
	if o, err := parseOrder([]byte(v2)); err != nil || o.XCB != nil || o.OperationID != "o" {
		t.Errorf("v2: %+v, %v", o, err)
	}
	for _, text := range []string{
		"", "{}", "[]", `{"adapter":null}`, strings.Replace(v1, `"/xcb"`, `"/xcb","protocol":null`, 1),
		strings.Replace(v1, `"prompt"`, `"operationId":"o","prompt"`, 1), strings.Replace(v2, `"operationId":"o",`, "", 1),
	} {
		if o, err := parseOrder([]byte(text)); !fault.Is(err, fault.Malformed) {
			t.Errorf("%s: %+v, %v", text, o, err)
		}
	}
}
