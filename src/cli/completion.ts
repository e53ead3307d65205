import { Argument, type Command } from 'commander'
import { type CommonOptions, command } from './command.ts'
import { print } from './output/print.ts'

type Shell = 'bash' | 'zsh' | 'fish'

/** The script is generated from the program's own commands, so a new command is completed too. */
export function completionCommand(program: Command): Command {
  const example = 'pavilion completion bash > /etc/bash_completion.d/pavilion'
  return command('completion', 'Print a shell completion script', example)
    .addArgument(new Argument('<shell>', 'Shell').choices(['bash', 'zsh', 'fish']))
    .action((shell: Shell, options: CommonOptions) => {
      const script = shell === 'fish' ? fishScript(program) : bashScript(program, shell)
      print(options, { shell, script: script.trimEnd() }, (printed) => printed.script)
    })
}

/** Returns each command path with the words that may follow it: `['token', 'create list']`. */
function wordsByPath(command: Command, path: string): [string, string][] {
  const children = command.commands.map((child) => child.name())
  const options = command.options.flatMap(({ long }) => (long ? [long] : []))
  const own: [string, string] = [path, [...children, ...options, '--help'].join(' ')]
  return [
    own,
    ...command.commands.flatMap((child) => wordsByPath(child, `${path} ${child.name()}`.trim())),
  ]
}

function bashScript(program: Command, shell: Shell): string {
  const cases = wordsByPath(program, '')
    .map(([path, words]) => `    "${path}") words="${words}" ;;`)
    .join('\n')
  const zsh = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''
  return `${zsh}_pavilion() {
  local path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ "$word" == -* ]] && break
    path="\${path:+$path }$word"
  done
  case "$path" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _pavilion pavilion
`
}

function fishScript(program: Command): string {
  const top = program.commands
    .map((child) => `complete -c pavilion -n __fish_use_subcommand -a ${child.name()} -f`)
    .join('\n')
  const nested = program.commands
    .flatMap((child) => child.commands.map((inner) => [child.name(), inner.name()]))
    .map(
      ([outer, inner]) =>
        `complete -c pavilion -n "__fish_seen_subcommand_from ${outer}" -a ${inner} -f`,
    )
    .join('\n')
  return `${top}\n${nested}\n`
}
