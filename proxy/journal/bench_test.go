package journal

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"bobproxy/acp"
)

// batchOf is what one read brings: frames of size bytes in one chunk.
func batchOf(pool *Pool, size int) (*Chunk, []Frame) {
	line := update(size)
	n := max(StandardChunk/len(line), 1)
	c := pool.Get(n * len(line))
	fs := make([]Frame, n)
	for i := range fs {
		fs[i].Line = c.Bytes()[i*len(line):][:copy(c.Bytes()[i*len(line):], line)]
		fs[i].Chunk = c
		fs[i].Dir = acp.Agent
		acp.Scan(fs[i].Line, &fs[i].Scan)
	}
	return c, fs
}

// BenchmarkJournal is the whole way of a frame, bound by the part behind.
func BenchmarkJournal(b *testing.B) {
	for _, size := range []int{200, 10_000, 1_000_000} {
		for _, to := range []string{"off", "nowhere", "file"} {
			b.Run(fmt.Sprintf("%dB/%s", size, to), func(b *testing.B) {
				opts := Options{Instance: "bench", Off: to == "off"}
				switch to {
				case "nowhere":
					opts.open = new(nowhere).open
				case "file":
					opts.Path = filepath.Join(b.TempDir(), "bench.jsonl")
				}
				bench(b, opts, size, nil)
			})
		}
	}
	b.Run("200B/secrets", func(b *testing.B) {
		bench(b, Options{Instance: "bench", Secrets: []string{"sk-0123456789abcdef", "hunter2hunter2"}, open: new(nowhere).open}, 200, nil)
	})
	b.Run("200B/watched", func(b *testing.B) {
		bench(b, Options{Instance: "bench", open: new(nowhere).open}, 200, func(j *Journal) {
			_, w := j.Watch(10_000)
			go func() {
				for range w.Events() {
				}
			}()
		})
	})
}

func bench(b *testing.B, opts Options, size int, with func(*Journal)) {
	j := begin(b, opts)
	if with != nil {
		with(j)
	}
	_, fs := batchOf(NewPool(), size)
	b.SetBytes(int64(len(fs[0].Line)))
	b.ReportAllocs()
	b.ResetTimer()
	at := time.Now()
	for n := 0; n < b.N; {
		k := min(b.N-n, len(fs))
		j.Append(at, fs[:k])
		j.Kick()
		n += k
	}
	j.Close(time.Minute)
}

// BenchmarkAppend is what a pump pays: the journal goroutine is kept out.
func BenchmarkAppend(b *testing.B) {
	_, fs := batchOf(NewPool(), 200)
	for _, n := range []int{1, 16, len(fs)} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			q := new(queue)
			q.init()
			b.ReportAllocs()
			at := time.Now()
			for i := 0; i < b.N; i += n {
				if len(q.items) >= queueItems-len(fs) {
					b.StopTimer()
					releaseRuns(q.items)
					clear(q.items)
					q.items, q.bytes = q.items[:0], 0
					b.StartTimer()
				}
				q.append(at, fs[:n])
			}
		})
	}
}

// BenchmarkMask is what the masker does for frames that are not ordinary.
func BenchmarkMask(b *testing.B) {
	for name, line := range map[string]string{
		"text":       "2024-05-01 12:00:00 INFO starting the thing: port=8080, user: bob, with some more words to make a line of a usual length\n",
		"session":    `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[{"name":"db","command":"x","args":["a"],"env":[{"name":"K","value":"sk-0123456789"}]}]}}` + "\n",
		"known":      `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"content":{"text":"it is sk-abcdefghij, you see"}}}}` + "\n",
		"64KB clean": update(64 << 10),
	} {
		b.Run(name, func(b *testing.B) {
			m := newMasker([]string{"sk-abcdefghij", "hunter2hunter2"})
			f := frames(acp.Agent, line)[0]
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for range b.N {
				e := Event{Type: FrameEvent, Dir: f.Dir, Kind: f.Scan.Kind, Method: string(f.Scan.Method), Body: f.Line}
				m.frame(&e, f.Scan.Strict)
			}
		})
	}
}

// BenchmarkBehind is what the journal goroutine does for a frame.
func BenchmarkBehind(b *testing.B) {
	for _, size := range []int{200, 10_000} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			j := &Journal{recorder: newRecorder(new(nowhere).open, Options{}, func(string) {})}
			go j.recorder.run()
			build := newBuilder(Options{Instance: "bench"})
			_, fs := batchOf(NewPool(), size)
			q := new(queue)
			q.init()
			q.append(time.Now(), fs)
			b.ReportAllocs()
			b.SetBytes(int64(len(fs[0].Line)))
			for i := 0; i < b.N; {
				n := min(groupSize, len(q.items), b.N-i)
				holdRuns(fs[:n])
				j.keep(build.build(q.items[:n]), q.items[:n])
				i += n
			}
			j.recorder.finish()
			<-j.recorder.done
		})
	}
}
