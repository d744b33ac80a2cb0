package broker_test

import (
	"testing"
	"testing/synctest"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
)

var (
	minutes = broker.Options{Timeout: 2 * time.Minute, Withdraw: true}
	never   = broker.Options{Withdraw: true}
	quiet   = broker.Options{Timeout: 2 * time.Minute}
)

// orderings are what can come after what, and everything that is seen of it.
var orderings = []struct {
	name    string
	options broker.Options
	steps   []step
	want    string
}{
	{"the editor allows", minutes, []step{ask("7"), pending, selects("7", "yes"), pending}, `
		opened test:1
		pass request 7
		pending [test:1]
		decision test:1 by editor: selected "yes" allow_once
		pass reply 7
		pending []`},
	{"selected is not yet approved", minutes, []step{ask("7"), wait(time.Second), selects("7", "no")}, `
		opened test:1
		pass request 7
		decision test:1 by editor: selected "no" reject_once after 1s
		pass reply 7`},
	{"the editor answers with an error", minutes, []step{ask("7"), fails("7", -32602), deny("test:1")}, `
		opened test:1
		pass request 7
		decision test:1 by editor: error
		pass reply 7
		ruling too late (editor)`},
	{"the editor answers in another shape", minutes, []step{ask("5"), shapeless("5"), ask("6"), reply(broker.Reply{ID: []byte("6"), Outcome: "approved"})}, `
		opened test:1
		pass request 5
		decision test:1 by editor: unknown
		pass reply 5
		opened test:2
		pass request 6
		decision test:2 by editor: unknown
		pass reply 6`},
	{"an unreadable line names an open one", minutes, []step{ask("7"), unreadable("7")}, `
		opened test:1
		pass request 7
		decision test:1 by editor: unreadable
		pass reply 7`},
	{"an unreadable line names a settled one", minutes, []step{ask("7"), panel("test:1", "no"), unreadable("7")}, `
		opened test:1
		pass request 7
		decision test:1 by panel: selected "no" reject_once
		agent < 7 selected "no"
		client < withdraw 7
		ruling applied
		decision test:1 by editor: unreadable, late
		flagged late answer disagrees
		swallow reply 7 (settled before by panel)`},
	{"the editor selects what was never offered", minutes, []step{ask("7"), selects("7", "cancel")}, `
		opened test:1
		pass request 7
		decision test:1 by editor: selected "cancel"
		flagged option never offered
		pass reply 7 (option never offered)`},
	{"the editor answers twice", minutes, []step{ask("7"), selects("7", "yes"), selects("7", "yes"), selects("7", "yes")}, `
		opened test:1
		pass request 7
		decision test:1 by editor: selected "yes" allow_once
		pass reply 7
		decision test:1 by editor: selected "yes", late
		swallow reply 7 (answered before)
		decision test:1 by editor: selected "yes", late
		swallow reply 7 (answered before)`},
	{"the editor answers twice what the panel has answered", minutes, []step{ask("7"), panel("test:1", "yes"), selects("7", "no"), selects("7", "no")}, `
		opened test:1
		pass request 7
		decision test:1 by panel: selected "yes" allow_once
		agent < 7 selected "yes"
		client < withdraw 7
		ruling applied
		decision test:1 by editor: selected "no" reject_once, late
		flagged late answer disagrees
		swallow reply 7 (settled before by panel)
		decision test:1 by editor: selected "no", late
		swallow reply 7 (answered before)`},
	{"an answered id comes again", minutes, []step{ask("7"), selects("7", "yes"), ask("7"), selects("7", "no")}, `
		opened test:1
		pass request 7
		decision test:1 by editor: selected "yes" allow_once
		pass reply 7
		opened test:2
		pass request 7
		decision test:2 by editor: selected "no" reject_once
		pass reply 7`},
	{"an answered id comes again with another request", minutes, []step{
		ask("7"), selects("7", "yes"), asksElse("7"), shapeless("7"),
		ask("8"), selects("8", "yes"), asksElse("8"), fails("8", -32603),
	}, `
		opened test:1
		pass request 7
		decision test:1 by editor: selected "yes" allow_once
		pass reply 7
		pass reply 7 (not owned)
		opened test:2
		pass request 8
		decision test:2 by editor: selected "yes" allow_once
		pass reply 8
		pass reply 8 (not owned)`},
	{"what does not look like an answer is not taken for a second one", minutes, []step{ask("7"), selects("7", "yes"), shapeless("7")}, `
		opened test:1
		pass request 7
		decision test:1 by editor: selected "yes" allow_once
		pass reply 7
		pass reply 7`},

	{"the panel answers, the editor too", minutes, []step{ask("7"), wait(time.Second), panel("test:1", "yes"), wait(time.Second), selects("7", "yes")}, `
		opened test:1
		pass request 7
		decision test:1 by panel: selected "yes" allow_once after 1s
		agent < 7 selected "yes"
		client < withdraw 7
		ruling applied
		decision test:1 by editor: selected "yes" allow_once after 2s, late
		swallow reply 7 (settled before by panel)`},
	{"the panel answers, the editor confirms the withdrawal", minutes, []step{
		ask("7"), deny("test:1"), fails("7", -32800),
		ask("8"), deny("test:2"), cancels("8"),
		ask("9"), deny("test:3"), fails("9", -32601),
	}, `
		opened test:1
		pass request 7
		decision test:1 by panel: selected "no" reject_once
		agent < 7 selected "no"
		client < withdraw 7
		ruling applied
		decision test:1 by editor: error, late
		swallow reply 7 (settled before by panel)
		opened test:2
		pass request 8
		decision test:2 by panel: selected "no" reject_once
		agent < 8 selected "no"
		client < withdraw 8
		ruling applied
		decision test:2 by editor: cancelled, late
		swallow reply 8 (settled before by panel)
		opened test:3
		pass request 9
		decision test:3 by panel: selected "no" reject_once
		agent < 9 selected "no"
		client < withdraw 9
		ruling applied
		decision test:3 by editor: error, late
		swallow reply 9 (settled before by panel)`},
	{"dialogs are kept", quiet, []step{ask("7"), deny("test:1"), selects("7", "yes")}, `
		opened test:1
		pass request 7
		decision test:1 by panel: selected "no" reject_once
		agent < 7 selected "no"
		ruling applied
		decision test:1 by editor: selected "yes" allow_once, late
		flagged late answer disagrees
		swallow reply 7 (settled before by panel)`},
	{"the panel comes second", minutes, []step{ask("7"), selects("7", "no"), panel("test:1", "yes"), panel("test:1", "yes")}, `
		opened test:1
		pass request 7
		decision test:1 by editor: selected "no" reject_once
		pass reply 7
		ruling too late (editor)
		ruling too late (editor)`},
	{"a command comes after a panel", minutes, []step{ask("7"), panel("test:1", "no"),
		decide(broker.Decision{Request: "test:1", Option: "yes", By: broker.ByCommand})}, `
		opened test:1
		pass request 7
		decision test:1 by panel: selected "no" reject_once
		agent < 7 selected "no"
		client < withdraw 7
		ruling applied
		ruling too late (panel)`},
	{"any shape of reply pays a debt", minutes, []step{ask("7"), deny("test:1"), shapeless("7"), ask("7"), selects("7", "yes")}, `
		opened test:1
		pass request 7
		decision test:1 by panel: selected "no" reject_once
		agent < 7 selected "no"
		client < withdraw 7
		ruling applied
		decision test:1 by editor: unknown, late
		flagged late answer disagrees
		swallow reply 7 (settled before by panel)
		opened test:2
		pass request 7
		decision test:2 by editor: selected "yes" allow_once
		pass reply 7`},

	{"nobody answers", minutes, []step{ask("7"), wait(119 * time.Second), pending, wait(time.Second), pending, panel("test:1", "yes"), wait(10 * time.Second), selects("7", "yes")}, `
		opened test:1
		pass request 7
		pending [test:1]
		decision test:1 by timeout: selected "no" reject_once after 2m0s
		agent < 7 selected "no"
		client < withdraw 7
		pending []
		ruling expired (timeout)
		decision test:1 by editor: selected "yes" allow_once after 2m10s, late
		flagged late answer disagrees
		swallow reply 7 (settled before by timeout)`},
	{"two time out, one is denied", minutes, []step{ask("1"), ask("2"), ask("3"), wait(time.Minute), deny("test:2"), wait(time.Minute)}, `
		opened test:1
		pass request 1
		opened test:2
		pass request 2
		opened test:3
		pass request 3
		decision test:2 by panel: selected "no" reject_once after 1m0s
		agent < 2 selected "no"
		client < withdraw 2
		ruling applied
		decision test:1 by timeout: selected "no" reject_once after 2m0s
		agent < 1 selected "no"
		client < withdraw 1
		decision test:3 by timeout: selected "no" reject_once after 2m0s
		agent < 3 selected "no"
		client < withdraw 3`},
	{"no time-out, nobody answers", never, []step{ask("7"), wait(1000 * time.Hour), pending, selects("7", "yes")}, `
		opened test:1
		pass request 7
		pending [test:1]
		decision test:1 by editor: selected "yes" allow_once after 1000h0m0s
		pass reply 7`},
	{"three are answered out of order, by both", minutes, []step{
		ask("1"), ask("2"), ask("3"), selects("3", "yes"), panel("test:1", "no"), selects("2", "always"), pending,
	}, `
		opened test:1
		pass request 1
		opened test:2
		pass request 2
		opened test:3
		pass request 3
		decision test:3 by editor: selected "yes" allow_once
		pass reply 3
		decision test:1 by panel: selected "no" reject_once
		agent < 1 selected "no"
		client < withdraw 1
		ruling applied
		decision test:2 by editor: selected "always" allow_always
		pass reply 2
		pending []`},
	{"always answers only one", minutes, []step{
		ask("1"), ask("2"), decide(broker.Decision{Request: "test:1", Option: "always", Standing: true}), pending, ask("3"), pending,
	}, `
		opened test:1
		pass request 1
		opened test:2
		pass request 2
		decision test:1 by panel: selected "always" allow_always
		agent < 1 selected "always"
		client < withdraw 1
		ruling applied
		pending [test:2]
		opened test:3
		pass request 3
		pending [test:2, test:3]`},
	{"a number and a string are two ids", minutes, []step{ask("1"), ask(`"1"`), panel("test:2", "yes"), pending, ask(`"\u0032"`), selects(`"2"`, "yes")}, `
		opened test:1
		pass request 1
		opened test:2
		pass request "1"
		decision test:2 by panel: selected "yes" allow_once
		agent < "1" selected "yes"
		client < withdraw "1"
		ruling applied
		pending [test:1]
		opened test:3
		pass request "\u0032"
		decision test:3 by editor: selected "yes" allow_once
		pass reply "2"`},
	{"an id is repeated as it is spelled", minutes, []step{ask(`"\u0061"`), panel("test:1", "yes"), ask(`"550e8400-e29b-41d4-a716-446655440000"`), deny("test:2")}, `
		opened test:1
		pass request "\u0061"
		decision test:1 by panel: selected "yes" allow_once
		agent < "\u0061" selected "yes"
		client < withdraw "\u0061"
		ruling applied
		opened test:2
		pass request "550e8400-e29b-41d4-a716-446655440000"
		decision test:2 by panel: selected "no" reject_once
		agent < "550e8400-e29b-41d4-a716-446655440000" selected "no"
		client < withdraw "550e8400-e29b-41d4-a716-446655440000"
		ruling applied`},
	{"odd ids are the editor's", minutes, []step{
		ask("null"), ask("true"), ask("1.5"), ask("1.0"), ask("[]"), ask("{}"), ask("-0"), ask("1e2"), ask("9223372036854775808"),
		pending, wait(time.Hour), selects("null", "yes"), selects("1.0", "yes"), withdraws("1.0"),
	}, `
		flagged odd id
		pass request null
		flagged odd id
		pass request true
		flagged odd id
		pass request 1.5
		flagged odd id
		pass request 1.0
		flagged odd id
		pass request []
		flagged odd id
		pass request {}
		flagged odd id
		pass request -0
		flagged odd id
		pass request 1e2
		flagged odd id
		pass request 9223372036854775808
		pending []
		pass reply null (not owned)
		pass reply 1.0 (not owned)
		pass withdrawal 1.0`},
	{"an odd id does not answer a plain one", minutes, []step{ask("1"), selects("1.0", "yes"), selects("true", "yes"), pending}, `
		opened test:1
		pass request 1
		pass reply 1.0 (not owned)
		pass reply true (not owned)
		pending [test:1]`},

	{"an id comes again, the late allow does not approve", minutes, []step{
		ask("0"), wait(2 * time.Minute), ask("0"), pending, selects("0", "yes"), pending, panel("test:2", "yes"),
	}, `
		opened test:1
		pass request 0
		decision test:1 by timeout: selected "no" reject_once after 2m0s
		agent < 0 selected "no"
		client < withdraw 0
		opened test:2
		flagged an older answer is owed
		pass request 0
		pending [test:2 unattributable]
		decision test:1 by editor: selected "yes" allow_once after 2m0s, late
		flagged late answer disagrees
		swallow reply 0 (settled before by timeout)
		pending [test:2]
		decision test:2 by panel: selected "yes" allow_once
		agent < 0 selected "yes"
		client < withdraw 0
		ruling applied`},
	{"an id comes again, two allows are one for each", minutes, []step{
		ask("0"), deny("test:1"), ask("0"), selects("0", "yes"), selects("0", "yes"), selects("0", "yes"),
	}, `
		opened test:1
		pass request 0
		decision test:1 by panel: selected "no" reject_once
		agent < 0 selected "no"
		client < withdraw 0
		ruling applied
		opened test:2
		flagged an older answer is owed
		pass request 0
		decision test:1 by editor: selected "yes" allow_once, late
		flagged late answer disagrees
		swallow reply 0 (settled before by panel)
		decision test:2 by editor: selected "yes" allow_once
		pass reply 0
		decision test:2 by editor: selected "yes", late
		swallow reply 0 (answered before)`},
	{"an id comes again, the old dialog is withdrawn", minutes, []step{
		ask("0"), deny("test:1"), ask("0"), fails("0", -32800), selects("0", "yes"),
		ask("0"), deny("test:3"), ask("0"), cancels("0"), selects("0", "yes"),
	}, `
		opened test:1
		pass request 0
		decision test:1 by panel: selected "no" reject_once
		agent < 0 selected "no"
		client < withdraw 0
		ruling applied
		opened test:2
		flagged an older answer is owed
		pass request 0
		decision test:1 by editor: error, late
		swallow reply 0 (settled before by panel)
		decision test:2 by editor: selected "yes" allow_once
		pass reply 0
		opened test:3
		pass request 0
		decision test:3 by panel: selected "no" reject_once
		agent < 0 selected "no"
		client < withdraw 0
		ruling applied
		opened test:4
		flagged an older answer is owed
		pass request 0
		decision test:3 by editor: cancelled, late
		swallow reply 0 (settled before by panel)
		decision test:4 by editor: selected "yes" allow_once, late
		flagged answer not attributable
		swallow reply 0 (may answer an earlier request)`},
	{"an id comes again, a reject settles the new one", minutes, []step{
		ask("0"), deny("test:1"), ask("0"), selects("0", "no"), pending, selects("0", "yes"), ask("0"), selects("0", "yes"),
	}, `
		opened test:1
		pass request 0
		decision test:1 by panel: selected "no" reject_once
		agent < 0 selected "no"
		client < withdraw 0
		ruling applied
		opened test:2
		flagged an older answer is owed
		pass request 0
		decision test:2 by editor: selected "no" reject_once
		pass reply 0
		pending []
		decision test:1 by editor: selected "yes" allow_once, late
		flagged late answer disagrees
		swallow reply 0 (settled before by panel)
		opened test:3
		pass request 0
		decision test:3 by editor: selected "yes" allow_once
		pass reply 0`},
	{"an id comes again, what was a reject then is an allow now", minutes, []step{
		ask("0"), deny("test:1"), asks(request("0", option("no", "allow_once"))), selects("0", "no"), pending,
	}, `
		opened test:1
		pass request 0
		decision test:1 by panel: selected "no" reject_once
		agent < 0 selected "no"
		client < withdraw 0
		ruling applied
		opened test:2
		flagged an older answer is owed
		pass request 0
		decision test:1 by editor: selected "no" reject_once, late
		swallow reply 0 (settled before by panel)
		pending [test:2]`},
	{"an id comes again, unreadable, unknown and failed replies are the old one's", minutes, []step{
		ask("0"), deny("test:1"), ask("0"), unreadable("0"), deny("test:2"), ask("0"), shapeless("0"), deny("test:3"), ask("0"), fails("0", -32603), pending,
	}, `
		opened test:1
		pass request 0
		decision test:1 by panel: selected "no" reject_once
		agent < 0 selected "no"
		client < withdraw 0
		ruling applied
		opened test:2
		flagged an older answer is owed
		pass request 0
		decision test:1 by editor: unreadable, late
		flagged late answer disagrees
		swallow reply 0 (settled before by panel)
		decision test:2 by panel: selected "no" reject_once
		agent < 0 selected "no"
		client < withdraw 0
		ruling applied
		opened test:3
		flagged an older answer is owed
		pass request 0
		decision test:2 by editor: unknown, late
		flagged late answer disagrees
		swallow reply 0 (settled before by panel)
		decision test:3 by panel: selected "no" reject_once
		agent < 0 selected "no"
		client < withdraw 0
		ruling applied
		opened test:4
		flagged an older answer is owed
		pass request 0
		decision test:3 by editor: error, late
		swallow reply 0 (settled before by panel)
		pending [test:4 unattributable]`},
	{"an id comes again, the clock decides even without a time-out", never, []step{
		ask("0"), deny("test:1"), ask("0"), selects("0", "yes"), wait(time.Hour), ask("1"), wait(time.Hour), pending,
	}, `
		opened test:1
		pass request 0
		decision test:1 by panel: selected "no" reject_once
		agent < 0 selected "no"
		client < withdraw 0
		ruling applied
		opened test:2
		flagged an older answer is owed
		pass request 0
		decision test:1 by editor: selected "yes" allow_once, late
		flagged late answer disagrees
		swallow reply 0 (settled before by panel)
		decision test:2 by timeout: selected "no" reject_once after 2m0s
		agent < 0 selected "no"
		client < withdraw 0
		opened test:3
		pass request 1
		pending [test:3]`},

	{"two at once under one id are the editor's", minutes, []step{
		ask("7"), ask("7"), pending, panel("test:1", "yes"), deny("test:2"), selects("7", "yes"), selects("7", "no"), pending, selects("7", "no"),
	}, `
		opened test:1
		pass request 7
		opened test:2
		flagged id in use
		pass request 7
		pending [test:1 unanswerable, test:2 unanswerable]
		ruling refused
		ruling refused
		decision test:1 by editor: selected "yes" allow_once
		pass reply 7
		decision test:2 by editor: selected "no" reject_once
		pass reply 7
		pending []
		decision test:2 by editor: selected "no", late
		swallow reply 7 (answered before)`},
	{"two at once under one id run out", minutes, []step{ask("7"), wait(time.Second), ask("7"), wait(2 * time.Minute), selects("7", "yes"), selects("7", "yes")}, `
		opened test:1
		pass request 7
		opened test:2
		flagged id in use
		pass request 7
		decision test:1 by timeout: selected "no" reject_once after 2m0s
		agent < 7 selected "no"
		decision test:2 by timeout: selected "no" reject_once after 2m0s
		agent < 7 selected "no"
		client < withdraw 7
		decision test:1 by editor: selected "yes" allow_once after 2m1s, late
		flagged late answer disagrees
		swallow reply 7 (settled before by timeout)
		decision test:2 by editor: selected "yes" allow_once after 2m0s, late
		flagged late answer disagrees
		swallow reply 7 (settled before by timeout)`},
	{"two at once under one id, what rejects one allows the other", minutes, []step{
		asks(request("7", option("x", "reject_once"))), asks(request("7", option("x", "allow_once"), option("y", "reject_once"))), wait(2 * time.Minute),
	}, `
		opened test:1
		pass request 7
		opened test:2
		flagged id in use
		pass request 7
		decision test:1 by timeout: cancelled after 2m0s
		agent < 7 cancelled
		decision test:2 by timeout: selected "y" reject_once after 2m0s
		agent < 7 selected "y"
		client < withdraw 7`},
	{"two at once under one id, one session cancelled", never, []step{
		askIn("a", "7"), askIn("b", "7"), cancelSession("b"), selects("7", "yes"), cancels("7"),
	}, `
		opened test:1
		pass request 7
		opened test:2
		flagged id in use
		pass request 7
		decision test:2 by cancel: cancelled
		agent < 7 cancelled
		decision test:2 by editor: selected "yes" allow_once, late
		flagged answer after cancel
		swallow reply 7 (not released after cancel)
		decision test:1 by editor: cancelled
		pass reply 7`},
	{"two at once under one id, one is settled: the other gets a clock", never, []step{
		askIn("a", "7"), askIn("b", "7"), cancelSession("a"), wait(time.Hour),
	}, `
		opened test:1
		pass request 7
		opened test:2
		flagged id in use
		pass request 7
		decision test:1 by cancel: cancelled after 2s
		agent < 7 cancelled
		decision test:2 by timeout: selected "no" reject_once after 2m2s
		agent < 7 selected "no"
		client < withdraw 7`},
	{"another request has the id, too", minutes, []step{
		ask("7"), asksElse("7"), pending, panel("test:1", "yes"), shapeless("7"), selects("7", "yes"),
		asks(func() broker.Ask { a := request("8", usual...); a.Shared = true; return a }()), fails("8", -32603), wait(2 * time.Minute),
	}, `
		opened test:1
		pass request 7
		pending [test:1 unanswerable]
		ruling refused
		pass reply 7
		decision test:1 by editor: selected "yes" allow_once
		pass reply 7
		opened test:2
		flagged id in use
		pass request 8
		pass reply 8
		decision test:2 by timeout: selected "no" reject_once after 2m0s
		agent < 8 selected "no"
		client < withdraw 8`},
	{"another request takes the id while an answer is owed", minutes, []step{
		ask("7"), deny("test:1"), asksElse("7"), withdraws("7"), shapeless("7"), withdraws("7"), fails("7", -32800),
	}, `
		opened test:1
		pass request 7
		decision test:1 by panel: selected "no" reject_once
		agent < 7 selected "no"
		client < withdraw 7
		ruling applied
		pass withdrawal 7
		pass reply 7
		swallow withdrawal 7
		decision test:1 by editor: error, late
		swallow reply 7 (settled before by panel)`},

	{"cancel: the editor answers cancelled", minutes, []step{ask("7"), cancelSession("s1"), pending, panel("test:1", "yes"), cancels("7"), panel("test:1", "yes"), wait(time.Hour)}, `
		opened test:1
		pass request 7
		pending []
		ruling expired (cancel)
		decision test:1 by cancel: cancelled
		pass reply 7
		ruling expired (cancel)`},
	{"cancel: the editor's error and reject pass", minutes, []step{ask("7"), ask("8"), cancelSession("s1"), fails("7", -32800), selects("8", "no")}, `
		opened test:1
		pass request 7
		opened test:2
		pass request 8
		decision test:1 by cancel: error
		pass reply 7
		decision test:2 by editor: selected "no" reject_once
		pass reply 8`},
	{"cancel: nothing that could approve is released", minutes, []step{
		ask("1"), ask("2"), ask("3"), ask("4"), cancelSession("s1"),
		selects("1", "yes"), unreadable("2"), shapeless("3"), selects("4", "never offered"), selects("1", "yes"), wait(time.Hour),
	}, `
		opened test:1
		pass request 1
		opened test:2
		pass request 2
		opened test:3
		pass request 3
		opened test:4
		pass request 4
		decision test:1 by cancel: cancelled
		agent < 1 cancelled
		decision test:1 by editor: selected "yes" allow_once, late
		flagged answer after cancel
		swallow reply 1 (not released after cancel)
		decision test:2 by cancel: cancelled
		agent < 2 cancelled
		decision test:2 by editor: unreadable, late
		flagged answer after cancel
		swallow reply 2 (not released after cancel)
		decision test:3 by cancel: cancelled
		agent < 3 cancelled
		decision test:3 by editor: unknown, late
		flagged answer after cancel
		swallow reply 3 (not released after cancel)
		decision test:4 by cancel: cancelled
		agent < 4 cancelled
		decision test:4 by editor: selected "never offered", late
		flagged answer after cancel
		swallow reply 4 (not released after cancel)
		decision test:1 by editor: selected "yes", late
		swallow reply 1 (answered before)`},
	{"cancel: the editor says nothing for two seconds", never, []step{ask("7"), wait(time.Minute), cancelSession("s1"), wait(time.Second), cancelSession("s1"), wait(time.Second), selects("7", "yes")}, `
		opened test:1
		pass request 7
		decision test:1 by cancel: cancelled after 1m2s
		agent < 7 cancelled
		client < withdraw 7
		decision test:1 by editor: selected "yes" allow_once after 1m2s, late
		flagged late answer disagrees
		swallow reply 7 (settled before by cancel)`},
	{"cancel: only that session", minutes, []step{askIn("a", "1"), askIn("b", "2"), cancelSession("a"), pending, panel("test:2", "yes")}, `
		opened test:1
		pass request 1
		opened test:2
		pass request 2
		pending [test:2]
		decision test:2 by panel: selected "yes" allow_once
		agent < 2 selected "yes"
		client < withdraw 2
		ruling applied`},
	{"cancel: what comes later is as any other", minutes, []step{ask("1"), cancelSession("s1"), cancels("1"), ask("2"), pending, selects("2", "yes"), ask("3"), panel("test:3", "yes")}, `
		opened test:1
		pass request 1
		decision test:1 by cancel: cancelled
		pass reply 1
		opened test:2
		pass request 2
		pending [test:2]
		decision test:2 by editor: selected "yes" allow_once
		pass reply 2
		opened test:3
		pass request 3
		decision test:3 by panel: selected "yes" allow_once
		agent < 3 selected "yes"
		client < withdraw 3
		ruling applied`},
	{"cancel: after the editor's own cancelled", minutes, []step{ask("1"), cancels("1"), cancelSession("s1"), wait(time.Hour)}, `
		opened test:1
		pass request 1
		decision test:1 by editor: cancelled
		pass reply 1`},
	{"cancel: the agent withdraws, too", minutes, []step{ask("1"), cancelSession("s1"), withdraws("1"), selects("1", "yes"), ask("2"), withdraws("2"), cancelSession("s1"), selects("2", "yes")}, `
		opened test:1
		pass request 1
		pass withdrawal 1
		decision test:1 by cancel: cancelled
		agent < 1 cancelled
		decision test:1 by editor: selected "yes" allow_once, late
		flagged answer after cancel
		swallow reply 1 (not released after cancel)
		opened test:2
		pass request 2
		pass withdrawal 2
		decision test:2 by cancel: cancelled
		agent < 2 cancelled
		decision test:2 by editor: selected "yes" allow_once, late
		flagged answer after cancel
		swallow reply 2 (not released after cancel)`},

	{"the agent withdraws at once", minutes, []step{ask("3"), withdraws("3"), pending, panel("test:1", "yes"), fails("3", -32800), panel("test:1", "yes")}, `
		opened test:1
		pass request 3
		pass withdrawal 3
		pending []
		ruling expired (agent)
		decision test:1 by agent: error
		pass reply 3
		ruling expired (agent)`},
	{"the agent withdraws, the editor allows", minutes, []step{ask("3"), withdraws("3"), selects("3", "yes")}, `
		opened test:1
		pass request 3
		pass withdrawal 3
		decision test:1 by agent: selected "yes" allow_once
		pass reply 3`},
	{"the agent withdraws, the editor is silent", never, []step{ask("3"), withdraws("3"), wait(2 * time.Second), withdraws("3"), selects("3", "yes")}, `
		opened test:1
		pass request 3
		pass withdrawal 3
		decision test:1 by agent: cancelled after 2s
		agent < 3 cancelled
		swallow withdrawal 3
		decision test:1 by editor: selected "yes" allow_once after 2s, late
		flagged late answer disagrees
		swallow reply 3 (settled before by agent)`},
	{"the agent withdraws what is settled", minutes, []step{ask("3"), deny("test:1"), withdraws("3"), withdraws("3"), cancels("3"), withdraws("3")}, `
		opened test:1
		pass request 3
		decision test:1 by panel: selected "no" reject_once
		agent < 3 selected "no"
		client < withdraw 3
		ruling applied
		swallow withdrawal 3
		swallow withdrawal 3
		decision test:1 by editor: cancelled, late
		swallow reply 3 (settled before by panel)
		pass withdrawal 3`},
	{"the agent withdraws what is settled and still shown", quiet, []step{ask("3"), deny("test:1"), withdraws("3"), withdraws("3")}, `
		opened test:1
		pass request 3
		decision test:1 by panel: selected "no" reject_once
		agent < 3 selected "no"
		ruling applied
		pass withdrawal 3
		swallow withdrawal 3`},
	{"the agent withdraws what it never asked", minutes, []step{withdraws("3"), withdraws("null"), withdraws("")}, `
		pass withdrawal 3
		pass withdrawal null
		pass withdrawal`},

	{"the turn runs out", minutes, []step{ask("1"), askIn("b", "2"), settleSession("s1"), pending, panel("test:1", "yes"), selects("1", "yes")}, `
		opened test:1
		pass request 1
		opened test:2
		pass request 2
		decision test:1 by timeout: cancelled
		agent < 1 cancelled
		client < withdraw 1
		pending [test:2]
		ruling expired (timeout)
		decision test:1 by editor: selected "yes" allow_once, late
		flagged late answer disagrees
		swallow reply 1 (settled before by timeout)`},
	{"somebody leaves", minutes, []step{ask("1"), ask("2"), selects("2", "yes"), leaves, pending, panel("test:1", "yes"), wait(time.Hour), selects("1", "yes")}, `
		opened test:1
		pass request 1
		opened test:2
		pass request 2
		decision test:2 by editor: selected "yes" allow_once
		pass reply 2
		decision test:1 by gone:
		pending []
		ruling expired (gone)
		decision test:1 by editor: selected "yes" allow_once after 1h0m0s, late
		flagged late answer disagrees
		swallow reply 1 (settled before by gone)`},

	{"the bounds refuse", minutes, []step{asks(outside("7", usual...)), asks(outside("8", option("yes", "allow_once"))), pending, panel("test:1", "yes"), withdraws("7")}, `
		decision test:1 by bounds: selected "no" reject_once
		agent < 7 selected "no"
		swallow request 7
		decision test:2 by bounds: cancelled
		agent < 8 cancelled
		swallow request 8
		pending []
		ruling too late (bounds)
		pass withdrawal 7`},
	{"the bounds refuse odd ids", minutes, []step{asks(outside("1.0", usual...)), asks(outside("null", usual...)), asks(outside("[]", usual...))}, `
		decision test:1 by bounds: selected "no" reject_once
		agent < 1.0 selected "no"
		swallow request 1.0
		flagged odd id
		swallow request null
		flagged odd id
		swallow request []`},
	{"the bounds refuse under an id in use", minutes, []step{
		asks(request("7", option("no", "allow_once"))), asks(outside("7", usual...)), pending, selects("7", "no"),
	}, `
		opened test:1
		pass request 7
		decision test:2 by bounds: cancelled
		agent < 7 cancelled
		swallow request 7
		pending [test:1 unanswerable]
		decision test:1 by editor: selected "no" allow_once
		pass reply 7`},

	{"no reject is offered", minutes, []step{
		asks(request("1", option("always", "allow_always"), option("yes", "allow_once"))), deny("test:1"),
		asks(request("2", option("never", "reject_always"), option("yes", "allow_once"))), wait(2 * time.Minute),
	}, `
		opened test:1
		pass request 1
		decision test:1 by panel: cancelled
		agent < 1 cancelled
		client < withdraw 1
		ruling applied
		opened test:2
		pass request 2
		decision test:2 by timeout: cancelled after 2m0s
		agent < 2 cancelled
		client < withdraw 2`},
	{"the first reject that is sound and means only that", minutes, []step{
		asks(request("1", option("cancel", "reject_once"), option("decline", "reject_once"))), deny("test:1"),
		asks(request("2", odd(option("a", "reject_once")), option("b", "reject_once"), option("b", "allow_once"), option("c", "reject_once"))), deny("test:2"),
	}, `
		opened test:1
		pass request 1
		decision test:1 by panel: selected "cancel" reject_once
		agent < 1 selected "cancel"
		client < withdraw 1
		ruling applied
		opened test:2
		pass request 2
		decision test:2 by panel: selected "c" reject_once
		agent < 2 selected "c"
		client < withdraw 2
		ruling applied`},
	{"ids that lie: the kind counts", minutes, []step{asks(request("1", option("reject", "allow_once"), option("approve", "reject_once"))), wait(2 * time.Minute)}, `
		opened test:1
		pass request 1
		decision test:1 by timeout: selected "approve" reject_once after 2m0s
		agent < 1 selected "approve"
		client < withdraw 1`},
	{"an option of a kind nobody knows", minutes, []step{
		asks(request("1", option("p", "allow_persistent"), option("yes", "allow_once"))), panel("test:1", "p"), wait(2 * time.Minute),
		asks(request("2", option("p", "allow_persistent"))), fails("2", -32602),
	}, `
		opened test:1
		pass request 1
		ruling refused
		decision test:1 by timeout: cancelled after 2m0s
		agent < 1 cancelled
		client < withdraw 1
		opened test:2
		pass request 2
		decision test:2 by editor: error
		pass reply 2`},
	{"nothing is offered", minutes, []step{
		asks(nothing("1")), asks(request("2", odd(option("", "")), odd(option("x", "allow_once")))), asks(request("3")),
		pending, panel("test:1", "yes"), panel("test:2", "x"), deny("test:1"), deny("test:2"), selects("3", "yes"),
	}, `
		opened test:1
		pass request 1
		opened test:2
		pass request 2
		opened test:3
		pass request 3
		pending [test:1 unanswerable, test:2 unanswerable, test:3 unanswerable]
		ruling refused
		ruling refused
		decision test:1 by panel: cancelled
		agent < 1 cancelled
		client < withdraw 1
		ruling applied
		decision test:2 by panel: cancelled
		agent < 2 cancelled
		client < withdraw 2
		ruling applied
		decision test:3 by editor: selected "yes"
		flagged option never offered
		pass reply 3 (option never offered)`},
	{"peers could read different options", minutes, []step{asks(twofold("1")), pending, panel("test:1", "no"), wait(2 * time.Minute)}, `
		opened test:1
		pass request 1
		pending [test:1 unanswerable]
		ruling refused
		decision test:1 by timeout: cancelled after 2m0s
		agent < 1 cancelled
		client < withdraw 1`},
}

func outside(id string, options ...acp.Option) broker.Ask {
	a := request(id, options...)
	a.Verdict = broker.Verdict{Level: broker.LevelOutside, Text: "it edits outside", Refuse: true}
	return a
}

func nothing(id string) broker.Ask {
	a := request(id)
	a.Permission.NoOptions = true
	return a
}

// twofold is a request whose options are there twice.
func twofold(id string) broker.Ask {
	a := request(id, usual...)
	a.Permission.Reason = acp.DuplicateMember
	return a
}

func odd(o acp.Option) acp.Option {
	o.Odd = true
	return o
}

func TestOrderings(t *testing.T) {
	for _, c := range orderings {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, c.options)
				d.run(c.steps...)
				d.check(c.want)
			})
		})
	}
}
