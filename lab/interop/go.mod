module bobproxy/lab/interop

go 1.26.0

require github.com/coder/acp-go-sdk v0.13.0

tool (
	github.com/coder/acp-go-sdk/example/agent
	github.com/coder/acp-go-sdk/example/client
)
