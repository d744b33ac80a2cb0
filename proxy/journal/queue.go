package journal

type queue struct{}
