package export

import (
	"bufio"
	"encoding/json"
	"io"

	"bobproxy/proxy/journal"
)

// OTLP writes events as traces in OTLP/JSON, one document, as a collector takes
// it at /v1/traces: a trace for each turn, with spans for its tool calls, its
// permissions and its requests. Spans are written as they end.
func OTLP(w io.Writer, events Events, version string) (spans int, err error) {
	d := document{out: bufio.NewWriter(w), version: version}
	d.out.WriteString(`{"resourceSpans":[`)
	tracers := map[string]*tracer{}
	var order []*tracer
	for e, err := range events {
		if err != nil {
			return d.spans, err
		}
		t := tracers[e.Instance]
		if t == nil {
			if len(tracers) == maxInstances {
				continue
			}
			t = newTracer(e.Instance, &d)
			tracers[e.Instance], order = t, append(order, t)
		}
		t.take(&e)
	}
	for _, t := range order {
		t.end()
	}
	d.close()
	d.out.WriteString("]}\n")
	return d.spans, d.out.Flush()
}

// maxInstances is how many proxies of one recording have traces.
const maxInstances = 256

// document is the document that is being written. Spans of one proxy that follow
// each other share a resource.
type document struct {
	out     *bufio.Writer
	version string
	of      *tracer // whose resource is open; nil: none
	spans   int
}

// The parts of OTLP/JSON that are used, by their documented names.
type (
	otlpSpan struct {
		TraceID    string     `json:"traceId"`
		SpanID     string     `json:"spanId"`
		TraceState string     `json:"traceState,omitempty"`
		Parent     string     `json:"parentSpanId,omitempty"`
		Flags      uint32     `json:"flags,omitempty"`
		Name       string     `json:"name"`
		Kind       int        `json:"kind"`
		Start      string     `json:"startTimeUnixNano"`
		End        string     `json:"endTimeUnixNano"`
		Attributes []otlpPair `json:"attributes,omitempty"`
		Status     otlpStatus `json:"status"`
	}
	otlpStatus struct {
		Message string `json:"message,omitempty"`
		Code    int    `json:"code,omitempty"`
	}
	otlpPair struct {
		Key   string    `json:"key"`
		Value otlpValue `json:"value"`
	}
	otlpValue struct {
		String *string `json:"stringValue,omitempty"`
		Int    *string `json:"intValue,omitempty"`
	}
	otlpResource struct {
		Attributes []otlpPair `json:"attributes"`
	}
	otlpScope struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
)

// Kinds and codes of OTLP.
const (
	kindInternal = 1
	kindServer   = 2
	kindClient   = 3
	codeOK       = 1
	codeError    = 2
)

// write writes a span that has ended.
func (d *document) write(t *tracer, s *span) {
	if d.spans > 0 && d.of != t {
		d.close()
	}
	if d.spans > 0 {
		d.out.WriteByte(',')
	}
	if d.of != t {
		d.resource(t)
	}
	d.json(s.otlp())
	d.spans++
}

func (d *document) resource(t *tracer) {
	d.of = t
	d.out.WriteString("\n" + `{"resource":`)
	d.json(otlpResource{attributes("service.name", "bobproxy", "service.version", d.version, "service.instance.id", t.instance,
		"acp.agent.name", t.agent, "acp.client.name", t.client)})
	d.out.WriteString(`,"scopeSpans":[{"scope":`)
	d.json(otlpScope{"bobproxy", d.version})
	d.out.WriteString(`,"spans":[` + "\n")
}

// close closes the resource that is open.
func (d *document) close() {
	if d.of != nil {
		d.out.WriteString("]}]}")
		d.of = nil
	}
}

func (d *document) json(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic("spans are always JSON: " + err.Error())
	}
	d.out.Write(b)
}

// attributes are pairs of strings; those without a value are left out.
func attributes(pairs ...string) (all []otlpPair) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			all = append(all, otlpPair{pairs[i], otlpValue{String: &pairs[i+1]}})
		}
	}
	return all
}

// take takes one event.
func (t *tracer) take(e *journal.Event) {
	switch e.Type {
	case journal.FrameEvent:
		t.frame(e)
	case journal.DecisionEvent:
		t.decided(e)
	}
	if !e.Time.IsZero() {
		t.now = e.Time
	}
}
