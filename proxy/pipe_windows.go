package proxy

import "os"

func forAgent(*os.File) error { return nil }

func waiting(*os.File) int { return 0 }

func widen(*os.File) {}
