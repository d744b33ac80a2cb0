package bounds

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// fileSystem refuses the kernel's own ones, which have no files that belong to
// anybody's workspace.
func fileSystem(path string) Code {
	var st unix.Statfs_t
	if err := retry(func() error { return unix.Statfs(path, &st) }); err != nil {
		return refusal(err)
	}
	switch uint32(st.Type) {
	case unix.PROC_SUPER_MAGIC:
		return MagicLink
	case unix.SYSFS_MAGIC, unix.DEBUGFS_MAGIC, unix.TRACEFS_MAGIC, unix.SECURITYFS_MAGIC,
		unix.CGROUP_SUPER_MAGIC, unix.CGROUP2_SUPER_MAGIC, unix.BPF_FS_MAGIC, unix.EFIVARFS_MAGIC,
		unix.SELINUX_MAGIC, unix.SMACK_MAGIC, unix.NSFS_MAGIC, unix.PSTOREFS_MAGIC,
		unix.BINFMTFS_MAGIC, unix.DEVPTS_SUPER_MAGIC:
		return Device
	}
	return Inside
}

// hold opens the directory id at path without any right to its content. As
// long as it is open no other directory gets its inode number.
func hold(path string, id identity) (*os.File, error) {
	f, err := os.OpenFile(path, unix.O_PATH|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil || !identityOf(&st).same(id) {
		f.Close()
		return nil, ErrReplaced
	}
	return f, nil
}
