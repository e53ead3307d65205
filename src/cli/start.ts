import { type Command, InvalidArgumentError } from 'commander'
import { readConfig } from '../config.ts'
import { announce } from './announce.ts'
import { type CommonOptions, command, runCommand } from './command.ts'

/** More processes than any machine has cores are a typing error. */
const WORKERS_MAX = 256

export function startCommand(): Command {
  return command('start', 'start the server', 'PORT=9000 pavilion start')
    .option('--workers <n>', 'processes that serve, each with its own index', readWorkers, 1)
    .action((options: CommonOptions & { workers: number }) =>
      runCommand(async () => {
        const config = readConfig()
        // The server is the largest part of Pavilion; other commands start without reading it.
        const { runServer } = await import('./serve/run-server.ts')
        await runServer(config, options.workers, announce)
      }),
    )
}

function readWorkers(text: string): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= WORKERS_MAX) return count
  throw new InvalidArgumentError(`It takes a whole number from 1 to ${WORKERS_MAX}.`)
}
