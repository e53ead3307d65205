import type { Command } from 'commander'
import { type Config, readConfig } from '../config.ts'
import { announce } from './announce.ts'
import { command, runCommand } from './command.ts'
import { runServer } from './server.ts'

export function startCommand(): Command {
  return command('start', 'start the server', 'PORT=9000 pavilion start')
    .option('--workers <n>', 'processes that serve, each with its own index', '1')
    .action(() =>
      runCommand(async () => {
        const config: Config = readConfig()
        await runServer(config, announce)
      }),
    )
}
