/** Writes the OpenAPI documents, and collections that are made from them. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Argument, type Command } from 'commander'
import pino from 'pino'
import { readConfig } from '../../config.ts'
import { openDatabase } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type CommonOptions, command, runCommand } from '../command.ts'
import { openCommandSecrets } from '../market.ts'
import { print } from './print.ts'

interface OpenApiOptions extends CommonOptions {
  output?: string
  bruno?: string
  postman?: string
}

const NAMES = ['v3', 'v2', 'operator', 'supplier'] as const
type Name = (typeof NAMES)[number]

export function openApiCommand(): Command {
  const example = 'pavilion openapi v3 --output v3.json --postman v3.postman.json --bruno v3'
  return command('openapi', 'Print an OpenAPI document, or make a collection of it', example)
    .addArgument(new Argument('[document]', 'Which interface').choices(NAMES).default('v3'))
    .option('--output <file>', 'Write the document to a file instead of printing it')
    .option('--bruno <dir>', 'Write a collection for Bruno into a folder')
    .option('--postman <file>', 'Write a collection for Postman to a file')
    .action((name: Name, options: OpenApiOptions) =>
      runCommand(options, async () => {
        const written = await writeDocuments(name, options)
        if (written.length === 0) return
        print(options, { document: name, written }, () =>
          written.map((path) => `Wrote ${path}.`).join('\n'),
        )
      }),
    )
}

/** Returns the files and folders that were written; without any the document was printed. */
async function writeDocuments(name: Name, options: OpenApiOptions): Promise<string[]> {
  const document = await buildDocument(name, options)
  const { url } = document.servers[0]
  const written: string[] = []
  if (options.output) written.push(await writeText(options.output, pretty(document)))
  if (options.postman) {
    const { postmanCollection } = await import('../../http/docs/collections/postman.ts')
    written.push(await writeText(options.postman, pretty(postmanCollection(document, url))))
  }
  if (options.bruno) {
    const { brunoCollection } = await import('../../http/docs/collections/bruno.ts')
    for (const { path, text } of brunoCollection(document, url)) {
      await writeText(join(options.bruno, path), text)
    }
    written.push(options.bruno)
  }
  if (written.length === 0) process.stdout.write(pretty(document))
  return written
}

function pretty(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

async function writeText(path: string, text: string): Promise<string> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  } catch (error) {
    throw new Refusal('invalid_request', `Cannot write ${path}: ${(error as Error).message}.`)
  }
  return path
}

/** The routes say all of it, so the database is never asked. */
async function buildDocument(name: Name, { sandbox }: OpenApiOptions) {
  const config = readConfig()
  const { buildApp } = await import('../../http/app.ts')
  const { DOCUMENTS, serversOf } = await import('../../http/docs/page.ts')
  const { openApiOf } = await import('../../http/docs/openapi.ts')
  const realm = sandbox ? 'test' : 'live'
  const markets = { live: config.publicUrl, test: config.sandboxPublicUrl }
  const database = openDatabase({ url: 'postgres://127.0.0.1/none' })
  const app = await buildApp({
    realm,
    database,
    publicUrl: markets[realm],
    markets,
    secrets: openCommandSecrets(config),
    rateLimitPerMinute: 0,
    log: pino({ level: 'silent' }),
  })
  try {
    const servers = serversOf(realm, markets[realm], markets)
    return openApiOf(app.services.operations, { ...DOCUMENTS[name], servers })
  } finally {
    await app.close()
    await database.close()
  }
}
