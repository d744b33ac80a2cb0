package main

import "slices"

// replies are what clients do when a dialog of theirs is withdrawn.
var replies = []string{"error", "late", "never"}

// elsewhere are rounds in which the client leaves its dialogs open and somebody
// else allows, somebody else denies, or nobody says anything. What the client
// does with a withdrawn dialog goes round, beginning with first, and so do
// terminals and scripts.
func (t tools) elsewhere(client, agent program, first int) []pair {
	round := func(i int, g gate) pair {
		g.reply, g.direct = replies[(first+i)%len(replies)], client
		if !g.allow {
			g.direct = client.dialog("deny")
		}
		leaves := client.dialog(g.reply)
		if agent.refuses != "" && !g.allow {
			stop := "INTEROP_STOP=" + agent.refuses
			leaves, g.direct = leaves.named(leaves.name, stop), g.direct.named(client.name, stop)
		}
		return pair{tools: t, client: leaves, agent: agent, gate: &g}
	}
	return []pair{
		round(0, gate{by: "command", allow: true, script: !terminals || first == 1}),
		round(1, gate{by: "command", script: !terminals || first == 2}),
		round(2, gate{by: "timeout", flags: []string{"--permission-timeout", "1s"}}),
	}
}

// acpxElsewhere are such rounds for acpx, which asks nobody but on a terminal.
// It answers a withdrawn dialog with cancelled, shows the withdrawal, and asks
// again for each file that is written. Its exit code 5 says that a permission
// was not given, by its own user at least.
func (t tools) acpxElsewhere(acpx, agent program) []pair {
	if !terminals {
		return nil
	}
	with := func(flag string, exit int) program {
		p := acpx
		p.argv, p.exit = slices.Clone(p.argv), exit
		p.argv[slices.Index(p.argv, "--approve-all")] = flag
		return p
	}
	asks := with("--approve-reads", 5)
	asks.when, asks.stdin = "Allow write?", "y\r"
	asks.says = "[client] $/cancel_request (running)"
	return []pair{
		{tools: t, client: asks, agent: agent, gate: &gate{by: "command", allow: true, reply: "cancelled", direct: with("--approve-all", 0)}},
		{tools: t, client: asks, agent: agent, gate: &gate{by: "command", reply: "cancelled", direct: with("--deny-all", 5)}},
	}
}
