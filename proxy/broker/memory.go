package broker

// memory keeps the newest MaxRemembered values by their keys. Its zero value is
// empty.
type memory[V any] struct {
	values map[string]remembered[V]
	order  []string // keys, in slots that are used again
	next   int      // slot
}

type remembered[V any] struct {
	value V
	slot  int
}

func (m *memory[V]) put(key string, value V) {
	if m.values == nil {
		m.values = map[string]remembered[V]{}
	}
	if len(m.order) < MaxRemembered {
		m.order = append(m.order, "")
	}
	// The slot's old key may have been forgotten and put anew elsewhere.
	if old, ok := m.values[m.order[m.next]]; ok && old.slot == m.next {
		delete(m.values, m.order[m.next])
	}
	m.order[m.next] = key
	m.values[key] = remembered[V]{value, m.next}
	m.next = (m.next + 1) % MaxRemembered
}

func (m *memory[V]) get(key string) (V, bool) {
	r, ok := m.values[key]
	return r.value, ok
}

func (m *memory[V]) has(key string) bool {
	_, ok := m.values[key]
	return ok
}

func (m *memory[V]) empty() bool { return len(m.values) == 0 }

func (m *memory[V]) forget(key string) { delete(m.values, key) }
