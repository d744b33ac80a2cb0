package load

// Middle is something that can stand between the editor and the agent.
type Middle struct {
	Name string

	// Command is what the editor starts instead of agent. What the middle
	// writes goes into dir, which exists and is empty.
	Command func(agent []string, dir string) []string
}

// Direct is no middle at all.
func Direct() Middle {
	return Middle{"direct", func(agent []string, _ string) []string { return agent }}
}

// Cat is a bare pipe in both directions.
func Cat() Middle {
	return Middle{"cat", func(agent []string, _ string) []string {
		return append([]string{"sh", "-c", `cat | "$@" | cat`, "sh"}, agent...)
	}}
}

// Tee is a pipe in both directions, each of which is also written to a file.
func Tee() Middle {
	return Middle{"tee", func(agent []string, dir string) []string {
		const script = `dir=$1; shift; tee "$dir/client" | "$@" | tee "$dir/agent"`
		return append([]string{"sh", "-c", script, "sh", dir}, agent...)
	}}
}

// Copy is the "copy" mode of binary, which has this package's Command as its
// "lab load".
func Copy(binary string) Middle {
	return Middle{"io.Copy", func(agent []string, _ string) []string {
		return append([]string{binary, "lab", "load", "copy", "--"}, agent...)
	}}
}

// Bobproxy is the proxy itself, recording.
func Bobproxy(binary string) Middle {
	return Middle{"bobproxy", func(agent []string, dir string) []string {
		return append([]string{binary, "run", "--record-dir", dir, "--record-max-size", "8GiB", "--"}, agent...)
	}}
}
