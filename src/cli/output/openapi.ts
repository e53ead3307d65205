/** Writes the OpenAPI documents, and collections that are made from them. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Argument, type Command } from 'commander'
import pino from 'pino'
import { type Config, readConfig } from '../../config.ts'
import { openDatabase } from '../../database/open.ts'
import type { OpenApiDocument } from '../../http/docs/openapi.ts'
import { reachableHost } from '../../lib/networks.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type CommonOptions, command, runCommand } from '../command.ts'
import { openCommandSecrets } from '../market.ts'
import { print } from './print.ts'

interface OpenApiOptions extends CommonOptions {
  url?: string
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
    .option(
      '--url <address>',
      'Read it from a server, with examples of its market (default: the one here, if it runs)',
    )
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
  const document = await readDocument(name, options)
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

/** How long a server may take to answer; one that does not run refuses at once. */
const SERVED_MS_MAX = 5_000

/**
 * A server's own document names things of its market, so that the requests of a collection find
 * them. Without a server the examples show what is meant.
 */
async function readDocument(name: Name, options: OpenApiOptions): Promise<OpenApiDocument> {
  if (options.url !== undefined) {
    const served = await fetchDocument(options.url.replace(/\/+$/, ''), name)
    if (served) return served
    const detail = `${options.url} serves no document ${name}; is it the address of a market?`
    throw new Refusal('invalid_request', detail)
  }
  const config = readConfig()
  const built = await buildDocument(name, config, options)
  const port = options.sandbox ? config.sandboxPort : config.port
  const served = await fetchDocument(`http://${reachableHost(config.host)}:${port}`, name)
  return served && isSame(served, built) ? served : built
}

async function fetchDocument(address: string, name: Name): Promise<OpenApiDocument | undefined> {
  try {
    const signal = AbortSignal.timeout(SERVED_MS_MAX)
    const response = await fetch(`${address}/openapi/${name}.json`, { signal })
    const document = (await response.json()) as Partial<OpenApiDocument>
    const isDocument = response.ok && document.paths && document.servers && document.info
    return isDocument ? (document as OpenApiDocument) : undefined
  } catch {
    return undefined
  }
}

/** Whether the server has these settings and this version of the program. */
function isSame(served: OpenApiDocument, built: OpenApiDocument): boolean {
  const shape = ({ info, servers, paths }: OpenApiDocument) =>
    JSON.stringify([info, servers, Object.keys(paths)])
  return shape(served) === shape(built)
}

/** The routes say all of it, so the database is never asked. */
async function buildDocument(
  name: Name,
  config: Config,
  { sandbox }: OpenApiOptions,
): Promise<OpenApiDocument> {
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
