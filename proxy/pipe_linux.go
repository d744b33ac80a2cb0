package proxy

import "golang.org/x/sys/unix"

const inQueue = unix.TIOCINQ // ioctl: how many bytes a pipe holds
