package acp

var cancelNames = []string{"requestId"}

// ReadCancelRequest reads which id $/cancel_request names: its raw token, nil
// when there is none or peers could read different ones.
func ReadCancelRequest(params []byte) (id []byte) {
	w := walker{strict: true}
	reason := w.walk(params, cancelNames, func(_ string, i int) (int, bool) { return w.raw(i, &id) })
	if reason != 0 {
		return nil
	}
	return id
}
