package main

import "bobproxy/lab"

// runLab hands over to the lab, which parses its own arguments.
func runLab(_ *settings, args []string, std streams) int {
	return lab.Command(args, std.in, std.out, std.err)
}
