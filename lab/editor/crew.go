package editor

import "sync"

// crew counts goroutines. Unlike a sync.WaitGroup it may be waited for while
// new ones are still being started.
type crew struct {
	mu      sync.Mutex
	working int
	waiting []chan struct{}
}

// Go runs job in a goroutine.
func (c *crew) Go(job func()) {
	c.mu.Lock()
	c.working++
	c.mu.Unlock()
	go func() {
		defer c.leave()
		job()
	}()
}

func (c *crew) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.working--
	if c.working == 0 {
		for _, idle := range c.waiting {
			close(idle)
		}
		c.waiting = nil
	}
}

// idle is closed as soon as nobody is at work.
func (c *crew) idle() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	idle := make(chan struct{})
	if c.working == 0 {
		close(idle)
	} else {
		c.waiting = append(c.waiting, idle)
	}
	return idle
}
