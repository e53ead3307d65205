import type { Command } from 'commander'
import { type Config, readConfig } from '../config.ts'
import { announce } from './announce.ts'
import { command, runCommand } from './command.ts'

export function startCommand(): Command {
  return command('start', 'start the server', 'PORT=9000 pavilion start')
    .option('--workers <n>', 'processes that serve, each with its own index', '1')
    .action(() =>
      runCommand(async () => {
        const config: Config = readConfig()
        // The server is the largest part of Pavilion; other commands start without reading it.
        const { runServer } = await import('./server.ts')
        await runServer(config, announce)
      }),
    )
}
