package main

import (
	"fmt"
	"strings"
)

// flagNames are the flags as a list of words.
func flagNames(flags []option) string {
	names := make([]string, len(flags))
	for i, o := range flags {
		names[i] = o.name
		if o.join == "=" && o.arg == "false" {
			names[i] += "=false"
		}
	}
	return strings.Join(names, " ")
}

func (c *completing) names() string {
	names := make([]string, len(c.verbs))
	for i, v := range c.verbs {
		names[i] = v.name
	}
	return strings.Join(names, " ")
}

// takes says that a flag is followed by a word of its own.
func (o option) takes() bool { return o.arg != "" && o.join == " " }

// isPath says that what follows a flag is the name of a file or folder.
func (o option) isPath() bool {
	return strings.Contains(o.arg, "FILE") || strings.Contains(o.arg, "DIR")
}

// values are cases of a shell: the flags with a choice of words.
func (c *completing) values() (cases [][2]string) {
	told := map[string]bool{}
	all := [][]option{c.flags}
	for _, v := range c.verbs {
		all = append(all, v.flags)
	}
	for _, flags := range all {
		for _, o := range flags {
			if words := strings.Join(o.choices(), " "); words != "" && o.takes() && !told[o.name] {
				told[o.name] = true
				cases = append(cases, [2]string{o.name, words})
			}
		}
	}
	return cases
}

// valued are the flags that are followed by a word of which there is no choice.
func (c *completing) valued(path bool) string {
	var names []string
	told := map[string]bool{}
	all := [][]option{c.flags}
	for _, v := range c.verbs {
		all = append(all, v.flags)
	}
	for _, flags := range all {
		for _, o := range flags {
			if o.takes() && len(o.choices()) == 0 && o.isPath() == path && !told[o.name] {
				told[o.name] = true
				names = append(names, o.name)
			}
		}
	}
	return strings.Join(names, "|")
}

func bash(c *completing) string {
	var b strings.Builder
	b.WriteString(`# bash completion for bobproxy; source <(bobproxy completion bash)
_bobproxy() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb= i flags= words= ask=
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      --) [[ $verb != log ]] && type _command_offset >/dev/null 2>&1 && _command_offset $((i + 1)); return ;;
`)
	fmt.Fprintf(&b, "      %s) [[ -z $verb ]] && verb=${COMP_WORDS[i]} ;;\n", strings.ReplaceAll(c.names(), " ", "|"))
	b.WriteString("    esac\n  done\n  case $before in\n")
	for _, v := range c.values() {
		fmt.Fprintf(&b, "    %s) COMPREPLY=($(compgen -W '%s' -- \"$word\")); return ;;\n", v[0], v[1])
	}
	fmt.Fprintf(&b, "    %s) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n    %s) return ;;\n", c.valued(true), c.valued(false))
	b.WriteString("  esac\n  case $verb in\n")
	fmt.Fprintf(&b, "    '') flags='%s' words='%s' ;;\n", flagNames(c.flags), c.names())
	for _, v := range c.verbs {
		fmt.Fprintf(&b, "    %s) flags='%s' words='%s' ask='%s' ;;\n", v.name, flagNames(v.flags), strings.Join(v.words, " "), v.dynamic())
	}
	b.WriteString(`  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")); return ;;
  esac
  [[ -n $ask ]] && words=$(bobproxy __complete "$ask" 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o bashdefault -o default -F _bobproxy bobproxy
`)
	return b.String()
}

func zsh(c *completing) string {
	var b strings.Builder
	b.WriteString(`#compdef bobproxy
# zsh completion for bobproxy; source <(bobproxy completion zsh)
_bobproxy() {
  local verb word before=${words[CURRENT-1]} i
  local -a flags values
  for ((i = 2; i < CURRENT; i++)); do
    case ${words[i]} in
      --) shift $i words; (( CURRENT -= i )); _normal; return ;;
`)
	fmt.Fprintf(&b, "      %s) [[ -z $verb ]] && verb=${words[i]} ;;\n", strings.ReplaceAll(c.names(), " ", "|"))
	b.WriteString("    esac\n  done\n  case $before in\n")
	for _, v := range c.values() {
		fmt.Fprintf(&b, "    %s) compadd -- %s; return ;;\n", v[0], v[1])
	}
	fmt.Fprintf(&b, "    %s) _files; return ;;\n    %s) return ;;\n", c.valued(true), c.valued(false))
	b.WriteString("  esac\n  case $verb in\n")
	fmt.Fprintf(&b, "    '')\n      flags=(%s)\n      values=(%s) ;;\n", zshFlags(c.flags), zshVerbs(c.verbs))
	for _, v := range c.verbs {
		fmt.Fprintf(&b, "    %s)\n      flags=(%s)\n      values=(%s) ;;\n", v.name, zshFlags(v.flags), strings.Join(v.words, " "))
	}
	b.WriteString("  esac\n  if [[ ${words[CURRENT]} == -* ]]; then\n    _describe flag flags\n    return\n  fi\n  case $verb in\n")
	for _, v := range c.verbs {
		if what := v.dynamic(); what != "" {
			fmt.Fprintf(&b, "    %s) values=(${(f)\"$(bobproxy __complete %s 2>/dev/null)\"}) ;;\n", v.name, what)
		}
	}
	b.WriteString(`  esac
  (( $#values )) && _describe command values
  [[ -n $verb ]] && _files
}
if [[ ${funcstack[1]} == _bobproxy ]]; then
  _bobproxy "$@"
else
  compdef _bobproxy bobproxy
fi
`)
	return b.String()
}

// zshFlags are flags as _describe wants them, with what they do.
func zshFlags(flags []option) string {
	words := make([]string, len(flags))
	for i, o := range flags {
		words[i] = inShell(o.name + ":" + strings.ReplaceAll(o.text, ":", `\:`))
	}
	return strings.Join(words, " ")
}

func zshVerbs(verbs []completed) string {
	words := make([]string, len(verbs))
	for i, v := range verbs {
		words[i] = inShell(v.name + ":" + strings.ReplaceAll(v.text, ":", `\:`))
	}
	return strings.Join(words, " ")
}

// inShell is text between quotes of a shell.
func inShell(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func fish(c *completing) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# fish completion for bobproxy; bobproxy completion fish | source
complete -c bobproxy -e
set -g __bobproxy_verbs %s
function __bobproxy_verb
    for word in (commandline -opc)[2..]
        contains -- $word $__bobproxy_verbs; and echo $word; and return
    end
end
function __bobproxy_is
    set -l verb (__bobproxy_verb)
    test "$argv[1]" = "$verb"
end
complete -c bobproxy -n '__bobproxy_is ""' -f
`, c.names())
	none := `-n '__bobproxy_is ""'`
	for _, v := range c.verbs {
		fmt.Fprintf(&b, "complete -c bobproxy %s -a %s -d %s\n", none, v.name, inFish(v.text))
	}
	for _, o := range c.flags {
		fishFlag(&b, none, o)
	}
	for _, v := range c.verbs {
		is := "-n '__bobproxy_is " + v.name + "'"
		for _, o := range v.flags {
			fishFlag(&b, is, o)
		}
		if len(v.words) > 0 {
			fmt.Fprintf(&b, "complete -c bobproxy %s -f -a '%s'\n", is, strings.Join(v.words, " "))
		}
		if what := v.dynamic(); what != "" {
			fmt.Fprintf(&b, "complete -c bobproxy %s -a '(bobproxy __complete %s 2>/dev/null)'\n", is, what)
		}
	}
	return b.String()
}

func fishFlag(b *strings.Builder, when string, o option) {
	name := "-l " + strings.TrimPrefix(o.name, "--")
	if !strings.HasPrefix(o.name, "--") {
		name = "-s " + strings.TrimPrefix(o.name, "-")
	}
	fmt.Fprintf(b, "complete -c bobproxy %s %s", when, name)
	switch words := o.choices(); {
	case !o.takes():
	case len(words) > 0:
		fmt.Fprintf(b, " -x -a '%s'", strings.Join(words, " "))
	case o.isPath():
		b.WriteString(" -r -F")
	default:
		b.WriteString(" -x")
	}
	if o.text != "" {
		b.WriteString(" -d " + inFish(o.text))
	}
	b.WriteString("\n")
}

// inFish is text between quotes of fish.
func inFish(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
}

func powershell(c *completing) string {
	var b strings.Builder
	b.WriteString(`# PowerShell completion for bobproxy; bobproxy completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName bobproxy -ScriptBlock {
    param($word, $line, $cursor)
    $verbs = [ordered]@{
`)
	for _, v := range c.verbs {
		fmt.Fprintf(&b, "        %s = %s\n", inPowershell(v.name), inPowershell(v.text))
	}
	b.WriteString("    }\n    $flags = @{\n")
	fmt.Fprintf(&b, "        '' = %s\n", inPowershell(flagNames(c.flags)))
	for _, v := range c.verbs {
		fmt.Fprintf(&b, "        %s = %s\n", inPowershell(v.name), inPowershell(flagNames(v.flags)))
	}
	b.WriteString("    }\n    $values = @{\n")
	for _, v := range c.values() {
		fmt.Fprintf(&b, "        %s = %s\n", inPowershell(v[0]), inPowershell(v[1]))
	}
	b.WriteString("    }\n    $words = @{\n")
	for _, v := range c.verbs {
		if len(v.words) > 0 {
			fmt.Fprintf(&b, "        %s = %s\n", inPowershell(v.name), inPowershell(strings.Join(v.words, " ")))
		}
	}
	b.WriteString("    }\n    $ask = @{\n")
	for _, v := range c.verbs {
		if what := v.dynamic(); what != "" {
			fmt.Fprintf(&b, "        %s = %s\n", inPowershell(v.name), inPowershell(what))
		}
	}
	b.WriteString(`    }
    $typed = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
    $verb = @($typed | Select-Object -Skip 1 | Where-Object { $verbs.Contains($_) })[0]
    $before = $typed[-1]
    if ($values.ContainsKey($before)) { $found = $values[$before] -split ' ' }
    elseif ($word -like '-*') { $found = $flags["$verb"] -split ' ' }
    elseif (-not $verb) { $found = $verbs.Keys }
    elseif ($ask.ContainsKey($verb)) { $found = @(bobproxy __complete $ask[$verb] 2>$null) }
    elseif ($words.ContainsKey($verb)) { $found = $words[$verb] -split ' ' }
    $found | Where-Object { $_ -like "$word*" } | ForEach-Object {
        $text = if ($verbs.Contains($_)) { $verbs[$_] } else { $_ }
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $text)
    }
}
`)
	return b.String()
}

// inPowershell is text between quotes of PowerShell.
func inPowershell(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
