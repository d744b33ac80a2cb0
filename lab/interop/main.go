package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	perRun = 60 * time.Second // deadline of one conversation
	atOnce = 8                // pairs; most of their time they wait
)

func main() {
	if len(os.Args) > 4 && os.Args[1] == "tap" {
		os.Exit(tap(os.Args[2], os.Args[3], os.Args[4:]))
	}
	if len(os.Args) == 3 && os.Args[1] == "play" {
		os.Exit(playAll(os.Args[2]))
	}
	fmt.Fprintln(os.Stderr, "interop: usage: interop play FOLDER | interop tap FOLDER NAME CMD ARGS…")
	os.Exit(2)
}

// playAll plays the pairs that the tools in folder allow and reports them in
// order.
func playAll(folder string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	all := newTools(folder).pairs()
	if only := os.Getenv("INTEROP_ONLY"); only != "" {
		all = slices.DeleteFunc(all, func(p pair) bool { return !strings.Contains(p.name(), only) })
	}
	results := make([]chan string, len(all))
	slots := make(chan struct{}, atOnce)
	directs := map[string]func() outcome{} // several pairs may want the same
	for i, p := range all {
		results[i] = make(chan string, 1)
		folder := fmt.Sprintf("%s/%02d", folder, i+1)
		key := fmt.Sprint(p.directClient(), p.agent)
		if directs[key] == nil {
			directs[key] = sync.OnceValue(func() outcome { return p.run(ctx, folder+"-direct", false) })
		}
		direct := directs[key]
		go func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			results[i] <- p.play(ctx, folder, direct)
		}()
	}
	failed := 0
	for _, result := range results {
		line := <-result
		fmt.Println(line)
		if line[:2] != "ok" {
			failed++
		}
	}
	fmt.Printf("%d passed, %d failed\n", len(all)-failed, failed)
	return min(failed, 1)
}

// play runs the pair twice, at once, and says in one line what came of it, or
// in more what is wrong.
func (p pair) play(ctx context.Context, folder string, direct func() outcome) string {
	if p.replayed {
		return p.playReplays(ctx, folder)
	}
	var a outcome
	var other sync.WaitGroup
	if p.gate == nil || !p.gate.strays {
		other.Go(func() { a = direct() })
	}
	b := p.run(ctx, folder+"-proxied", true)
	other.Wait()
	return p.verdict(p.compare(a, b), fmt.Sprintf("%d frames, exit %d", b.frames(), b.exit))
}

// verdict is one line when there are no problems, and one more for each.
func (p pair) verdict(problems []string, ok string) string {
	if len(problems) == 0 {
		return "ok   " + p.name() + ": " + ok
	}
	text := "FAIL " + p.name()
	for _, problem := range problems {
		text += "\n     " + problem
	}
	return text
}

// directClient is the client of the direct run.
func (p pair) directClient() program {
	if p.gate == nil {
		return p.client
	}
	return p.gate.direct
}

func (p pair) name() string {
	name := p.client.name + " ↔ " + p.agent.name
	if p.replayed {
		name += ", recorded"
	}
	if p.gate != nil {
		name += ", " + p.gate.String()
	}
	return name
}

func (p pair) run(ctx context.Context, folder string, proxied bool) outcome {
	ctx, cancel := context.WithTimeout(ctx, perRun)
	defer cancel()
	o, err := p.converse(ctx, folder, proxied)
	o.err = err
	return o
}
