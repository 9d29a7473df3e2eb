package qualify

// Names of obligations that others rest on.
const (
	answersSubmit   = "answers-submit"
	boundBeforeWork = "bound-before-work"
	sameRequest     = "same-request-starts-once"
	observeStarts   = "observe-starts-nothing"
)

// Where obligations are written.
const (
	sectionRecords = "contract sections 1 and 4"
	sectionBounds  = "contract section 2"
	sectionHistory = "contract section 6"
	sectionCalls   = "contract section 7"
	sectionCustody = "git-algal-adapter(7), obligations"
)

// What several of them cannot prove.
const (
	onlyWhatWasSeen    = "that no other answer breaks it"
	onlyTheseMoments   = "that it holds at every other moment"
	notAcrossPowerLoss = "that the ledger survives the machine, a full disk or a restored backup"
)

// Obligations returns all of them, in the order in which they are tested.
func Obligations() []Obligation {
	return []Obligation{
		{
			Name: "missing-before-submit", Section: sectionRecords,
			Text:        "a lookup of an operation that was never submitted fails, or says unknown, revision 0, missing",
			Proves:      "two lookups of a fresh operation claimed no knowledge of it",
			CannotProve: "that an operation of which the ledger lost the record would be told apart from it",
			trial:       tryMissingBeforeSubmit,
		},
		{
			Name: answersSubmit, Section: sectionCalls, Launches: true,
			Text:        "a submit of a fresh operation is answered on standard output with exit status 0 before the deadline",
			Proves:      "one ordinary submit was answered",
			CannotProve: "that the agent did what it was asked",
			trial:       tryAnswersSubmit,
		},
		{
			Name: "answers-observe", Section: sectionCalls, Launches: true, RestsOn: []string{answersSubmit},
			Text:        "a lookup of a known operation is answered with exit status 0 before the deadline",
			Proves:      "one lookup of a settled operation was answered",
			CannotProve: "that the ledger is never unavailable",
			trial:       tryAnswersObserve,
		},
		{
			Name: "requests-closed", Section: sectionRecords,
			Text:        "a request with unknown, missing or repeated members, of another contract or with text behind it is refused",
			Proves:      "seven lookups that were almost right were refused, and one that was right was not",
			CannotProve: "that every malformed request is refused",
			trial:       tryClosedRequests,
		},
		{
			Name: "action-matches", Section: sectionCalls,
			Text:        "a request whose action is not the adapter's last argument is refused",
			Proves:      "both actions were refused under the other one's argument, and started nothing that could be counted",
			CannotProve: "anything of an action that the protocol does not have",
			trial:       tryActionMatches,
		},
		{
			Name: "payload-digest-checked", Section: sectionRecords, Launches: true, RestsOn: []string{answersSubmit},
			Text:        "a submit whose payload does not have the digest of its binding is refused, and starts nothing",
			Proves:      "the payload of another request was refused",
			CannotProve: "that the digest is computed over the canonical form in every case",
			trial:       tryPayloadDigest,
		},
		{
			Name: "other-request-unknown", Section: sectionRecords, Launches: true, RestsOn: []string{answersSubmit},
			Text:        "a lookup of the operation with another request's digest is never answered with what became of the first request",
			Proves:      "one such lookup claimed no acceptance",
			CannotProve: "that the whole binding is compared wherever the ledger is read",
			trial:       tryOtherRequestUnknown,
		},
		{
			Name: "other-authority-unknown", Section: sectionRecords, Launches: true, RestsOn: []string{answersSubmit},
			Text:        "a lookup of the operation as that of another authority is never answered with what became of it here",
			Proves:      "one such lookup claimed no acceptance",
			CannotProve: "that a ledger which was copied or restored takes another identity",
			trial:       tryOtherAuthorityUnknown,
		},
		{
			Name: "same-answer-elsewhere", Section: sectionCalls, Launches: true, RestsOn: []string{answersSubmit},
			Text:        "a later process, called from another directory, gives the same outcome",
			Proves:      "the ledger is not found by the working directory, and not kept in the process that was called",
			CannotProve: notAcrossPowerLoss + ", or the end of a server that the adapter keeps running",
			trial:       tryAnswersElsewhere,
		},
		{
			Name: boundBeforeWork, Section: sectionCustody, Launches: true, RestsOn: []string{answersSubmit},
			Text:        "the operation is bound to its request before any work is admitted",
			Proves:      "a lookup while the agent worked found the operation",
			CannotProve: "that the record was durable by then; " + notAcrossPowerLoss,
			trial:       scripted(tryBoundBeforeWork),
		},
		{
			Name: observeStarts, Section: sectionCustody, Launches: true, RestsOn: []string{answersSubmit},
			Text:        "a lookup starts, resumes and retries nothing",
			Proves:      "lookups while the agent worked and after the settlement left the starts at one",
			CannotProve: "that work which does not show as a start of the agent was not resumed",
			trial:       counting(tryObserveStartsNothing),
		},
		{
			Name: "observe-creates-nothing", Section: sectionCustody, Launches: true, RestsOn: []string{answersSubmit},
			Text:        "a lookup before the submit starts nothing, neither then nor later, and leaves the submit as it would be without it",
			Proves:      "after such a lookup nothing was started, and the submit started the agent once",
			CannotProve: "that a lookup writes nothing into the ledger",
			trial:       counting(tryObserveCreatesNothing),
		},
		{
			Name: sameRequest, Section: sectionCustody, Launches: true, RestsOn: []string{answersSubmit},
			Text:        "the same operation with the same request again is answered with what is known, and starts nothing",
			Proves:      "a second submit after the settlement started nothing",
			CannotProve: "that the key is kept for ever; " + notAcrossPowerLoss,
			trial:       counting(trySameRequest),
		},
		{
			Name: "concurrent-submits-start-once", Section: sectionCustody, Launches: true, RestsOn: []string{sameRequest, boundBeforeWork},
			Text:        "the same request in several calls at once starts the agent once",
			Proves:      "several calls at once started the agent once",
			CannotProve: "that there is no race: it need not have shown in one trial",
			trial:       counting(tryConcurrentSubmits),
		},
		{
			Name: "other-request-refused", Section: sectionCustody, Launches: true, RestsOn: []string{answersSubmit},
			Text:        "another request for an operation that has one fails, and starts nothing",
			Proves:      "a second request for a settled operation failed",
			CannotProve: "that it would fail for an operation whose task has expired",
			trial:       tryOtherRequestRefused,
		},
		{
			Name: "lost-reply-starts-once", Section: sectionCustody, Launches: true, RestsOn: []string{sameRequest, boundBeforeWork, observeStarts},
			Text:        "an adapter that is killed during a submit keeps the operation: it is found by a lookup once its agent was started, and submitted again it starts nothing",
			Proves:      "the adapter's process group was killed while its agent worked and at moments of a submit, and the agent was never started twice",
			CannotProve: onlyTheseMoments + "; " + notAcrossPowerLoss,
			trial:       counting(tryKilledSubmit),
		},
		{
			Name: "settled-means-ended", Section: sectionCustody, Launches: true, RestsOn: []string{answersSubmit},
			Text:        "terminal is said only when the agent and every descendant of it have ended",
			Proves:      "a descendant in a session of its own, with no open streams, wrote nothing after the operation was terminal",
			CannotProve: "anything of work that was handed to a server, of remote effects, or of a descendant that hides better",
			trial:       scripted(trySettledMeansEnded),
		},
		{
			Name: "lookups-are-free", Section: sectionHistory, Launches: true, RestsOn: []string{answersSubmit},
			Text:        "mere lookups raise no revision: a host retains 16 different outcomes of a job, and no more",
			Proves:      "17 lookups in a row brought no more different outcomes than an operation has states",
			CannotProve: "that an operation of many hours has no more than 16 outcomes",
			trial:       tryLookupsAreFree,
		},
		{
			Name: "output-bound", Section: sectionBounds, Launches: true, RestsOn: []string{answersSubmit},
			Text:        "every answer fits the job's maxOutputBytes, JSON included, and a longer result is cut",
			Proves:      "an agent that said 8,192 bytes was answered for within 1,024",
			CannotProve: onlyWhatWasSeen,
			trial:       tryOutputBound,
		},
		{
			Name: "stderr-bound", Section: sectionBounds,
			Text:        "a call writes at most 65,536 bytes to standard error",
			Proves:      "no call of the examination wrote more",
			CannotProve: onlyWhatWasSeen,
			trial:       judgeStderr,
		},
		{
			Name: "answers-are-json", Section: sectionRecords,
			Text:        "an answer is one JSON value in strict form: UTF-8, no member twice, no number out of range, nothing behind it",
			Proves:      "every answer of the examination was",
			CannotProve: onlyWhatWasSeen,
			trial:       judgeForm(notStrict, "an answer was no strict JSON"),
		},
		{
			Name: "answers-closed", Section: sectionRecords,
			Text:        "an answer has exactly the members of its state, each in its form and bounds",
			Proves:      "every answer of the examination had",
			CannotProve: onlyWhatWasSeen,
			trial:       judgeForm(notClosed, "an answer was no closed outcome"),
		},
		{
			Name: "binding-echoed", Section: sectionRecords,
			Text:        "an answer repeats the binding of its request exactly",
			Proves:      "every answer of the examination did",
			CannotProve: onlyWhatWasSeen,
			trial:       judgeForm(otherBinding, "an answer was about another binding"),
		},
		{
			Name: "result-digest", Section: sectionRecords, Launches: true,
			Text:        "a terminal result has the digest and the length of its text",
			Proves:      "every terminal answer of the examination had",
			CannotProve: "that the text is what the agent said",
			trial:       judgeForm(wrongResult, "a result did not have the digest and the length of its text"),
		},
		{
			Name: "terminal-immutable", Section: sectionHistory, Launches: true,
			Text:        "after a terminal outcome only the identical one is given",
			Proves:      "every later answer was identical",
			CannotProve: "that it stays so; " + notAcrossPowerLoss,
			trial:       judgeHistory(afterTerminal, "after a terminal outcome another one was given"),
		},
		{
			Name: "acceptance-kept", Section: sectionHistory, Launches: true,
			Text:        "the acceptanceRef of an operation never changes",
			Proves:      "every later answer named the same acceptance",
			CannotProve: "that it is the digest of a durable record",
			trial:       judgeHistory(acceptanceChanged, "an operation has two acceptances"),
		},
		{
			Name: "revision-never-falls", Section: sectionHistory,
			Text:        "a revision is never lower than one before",
			Proves:      "no later answer had a lower one",
			CannotProve: onlyWhatWasSeen,
			trial:       judgeHistory(revisionFell, "a revision fell"),
		},
		{
			Name: "equal-revision-equal-outcome", Section: sectionHistory,
			Text:        "an equal revision is the identical outcome",
			Proves:      "no two answers of one revision differed",
			CannotProve: onlyWhatWasSeen,
			trial:       judgeHistory(equalRevision, "two outcomes have the same revision"),
		},
	}
}
