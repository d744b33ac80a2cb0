//go:build unix && !linux

package proxy

const inQueue = 0x4004667f // FIONREAD: how many bytes a pipe holds
