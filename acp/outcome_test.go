package acp_test

import "testing"

func TestReadOutcome(t *testing.T) {
	checkReads(t, "outcome", []readCase{
		{"selected", `{"outcome":{"outcome":"selected","optionId":"x"}}`, `kind=selected option="x"`},
		{"cancelled", `{"outcome":{"outcome":"cancelled"},"_meta":{"outcome":1,"outcome":2}}`, `kind=cancelled`},
		{"a word of a newer peer", `{"outcome":{"outcome":"deferred","until":1}}`, `kind=deferred`},
		{"empty option", `{"outcome":{"outcome":"selected","optionId":""}}`, `kind=selected option=""`},
		{"option with escapes", `{"outcome":{"outcome":"sel\u0065cted","optionId":"a\nb\u202e"}}`, `kind=selected option="a\nb\u202e"`},
		{"no option", `{"outcome":{"outcome":"selected"}}`, `kind=selected`},
		{"option is no string", `{"outcome":{"outcome":"selected","optionId":0}}`, `kind=selected`},
		{"old shape", `{"approved":true}`, ``},
		{"no wrapper", `{"outcome":"selected","optionId":"x"}`, ``},
		{"outcome null", `{"outcome":null}`, ``},
		{"inner outcome is no string", `{"outcome":{"outcome":{"outcome":"selected"},"optionId":"x"}}`, `option="x"`},
		{"outcome twice", `{"outcome":{"outcome":"cancelled"},"outcome":{"outcome":"selected","optionId":"x"}}`, `kind=selected option="x" reason=duplicate member`},
		{"inner outcome twice", `{"outcome":{"outcome":"cancelled","outcome":"selected","optionId":"x"}}`, `kind=selected option="x" reason=duplicate member`},
		{"option twice", `{"outcome":{"outcome":"selected","optionId":"no","optionId":"yes"}}`, `kind=selected option="yes" reason=duplicate member`},
		{"Outcome", `{"Outcome":{"outcome":"selected","optionId":"x"}}`, `reason=member name in other letter case`},
		{"OptionID", `{"outcome":{"outcome":"selected","optionId":"no","optionID":"yes"}}`, `kind=selected option="no" reason=member name in other letter case`},
	})
}
