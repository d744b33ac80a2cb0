package load

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// Machine describes in one line what figures were measured on: cores, CPU,
// kernel and Go version, as far as they can be known.
func Machine() string {
	kernel, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	return fmt.Sprintf("%d cores, %s, %s %s, %s", runtime.NumCPU(), cpuModel(),
		runtime.GOOS+"/"+runtime.GOARCH, strings.TrimSpace(string(kernel)), runtime.Version())
}

func cpuModel() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	_, after, ok := strings.Cut(string(info), "model name")
	if !ok {
		return "CPU unknown"
	}
	line, _, _ := strings.Cut(after, "\n")
	return strings.TrimLeft(line, "\t :")
}
