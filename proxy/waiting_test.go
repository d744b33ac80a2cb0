package proxy

import (
	"fmt"
	"testing"
	"testing/synctest"

	"bobproxy/proxy/broker"
)

func (a *additions) waiting() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.lines)
}

// An agent that asks and asks and reads nothing of what it is answered is
// stopped by that, whatever the answers are, and gets them all when it reads.
func TestAgentThatOnlyAsks(t *testing.T) {
	const rounds = 4 * maxWaiting
	outside := func(i int) string {
		return asks4(fmt.Sprint(i), `"sessionId":"s","toolCall":{"toolCallId":"c","kind":"edit","locations":[{"path":"/etc/passwd"}]},"options":`+threeOptions)
	}
	for name, line := range map[string]func(i int) string{
		"refused permissions":   outside,
		"permissions not asked": func(i int) string { return permits(fmt.Sprint(i)) },
	} {
		t.Run(name, func(t *testing.T) {
			sit(t, Policy{}, func(x *table) {
				x.opens("s", t.TempDir())
				reads := x.agent.stall()
				sent := make(chan struct{})
				go func() {
					defer close(sent)
					for i := range rounds {
						if _, err := fmt.Fprintln(x.agent.in, line(i)); err != nil {
							t.Error(err)
						}
					}
				}()
				synctest.Wait()
				if n := x.relay.toAgent.out.added.waiting(); n > maxWaiting {
					t.Errorf("%d answers wait", n)
				}
				select {
				case <-sent:
					t.Error("all has been taken")
				default:
				}
				reads()
				<-sent
				synctest.Wait()
				want := rounds
				if name == "permissions not asked" {
					want -= broker.MaxOwed
				}
				if got := x.agent.heard(); len(got) != want {
					t.Errorf("%d answers, want %d", len(got), want)
				}
			})
		})
	}
}
