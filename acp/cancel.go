package acp

var cancelNames = []string{"requestId"}

// ReadCancelRequest reads which id $/cancel_request names: its raw token, nil
// when there is none or peers could read different ones.
func ReadCancelRequest(params []byte) (id []byte) {
	w := walker{strict: true}
	reason := w.walk(params, cancelNames, func(_ string, i int) (int, bool) { return w.token(i, &id) })
	if reason != 0 {
		return nil
	}
	return id
}

// token is raw for a value that is acted on, be it a string or not.
func (w *walker) token(i int, value *[]byte) (end int, ok bool) {
	w.garbled = 0
	end, ok = w.raw(i, value)
	w.notice(w.garbled)
	return end, ok
}
