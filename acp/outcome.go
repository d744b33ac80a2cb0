package acp

// Outcome is what a reply to session/request_permission says.
type Outcome struct {
	Kind      string // selected, cancelled, or another word; empty when there is none
	Option    string // optionId
	HasOption bool   // optionId is there and is a string, be it empty
	Reason    Reason // as of File
}

var (
	resultNames  = []string{"outcome"}
	outcomeNames = []string{"outcome", "optionId"}
)

// ReadOutcome reads the result of session/request_permission.
func ReadOutcome(result []byte) (o Outcome) {
	w := walker{strict: true}
	var option String
	o.Reason = w.walk(result, resultNames, func(_ string, i int) (int, bool) {
		return w.members(i, outcomeNames, func(name string, i int) (int, bool) {
			if name == "optionId" {
				return w.str(i, &option)
			}
			return w.word(i, &o.Kind)
		})
	})
	o.Option, o.HasOption = option.Value, option.OK
	return o
}
