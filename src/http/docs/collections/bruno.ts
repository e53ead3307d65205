import type { OpenApiDocument } from '../openapi.ts'
import { type CollectionRequest, requestsOf } from './requests.ts'

/** A file of a collection: its path in the folder, and its text. */
interface CollectionFile {
  path: string
  text: string
}

/** A collection in Bruno's format, with an environment `local` that has `baseUrl` and `key`. */
export function brunoCollection(document: OpenApiDocument, baseUrl: string): CollectionFile[] {
  const settings = { version: '1', name: document.info.title, type: 'collection' }
  const used = new Set<string>()
  return [
    { path: 'bruno.json', text: `${JSON.stringify(settings, null, 2)}\n` },
    {
      path: 'environments/local.bru',
      text: `${block('vars', [`baseUrl: ${baseUrl}`])}\nvars:secret [\n  key\n]\n`,
    },
    ...requestsOf(document).map((request, index) => {
      const path = freePath(`${fileName(request.folder)}/${fileName(request.name)}`, used)
      return { path: `${path}.bru`, text: textOf(request, index + 1) }
    }),
  ]
}

/** Letters, digits and hyphens, which every file system takes. */
function fileName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, NAME_LENGTH_MAX)
}

const NAME_LENGTH_MAX = 60

function freePath(path: string, used: Set<string>): string {
  let free = path
  for (let number = 2; used.has(free); number++) free = `${path}-${number}`
  used.add(free)
  return free
}

function textOf(request: CollectionRequest, seq: number): string {
  const { name, description, method, path, query, needsToken, body } = request
  const required = query.filter((each) => each.required)
  const sent = required.map((each) => `${each.name}=${encodeURIComponent(each.value)}`).join('&')
  const mode = body === undefined ? 'none' : body.type === 'application/json' ? 'json' : 'text'
  const blocks = [
    block('meta', [`name: ${name}`, 'type: http', `seq: ${seq}`]),
    block(method.toLowerCase(), [
      `url: {{baseUrl}}${path}${sent && `?${sent}`}`,
      `body: ${mode}`,
      `auth: ${needsToken ? 'bearer' : 'none'}`,
    ]),
  ]
  if (query.length > 0) {
    const pairs = query.map((each) => `${each.required ? '' : '~'}${each.name}: ${each.value}`)
    blocks.push(block('params:query', pairs))
  }
  if (needsToken) blocks.push(block('auth:bearer', ['token: {{key}}']))
  if (body) {
    if (mode === 'text') blocks.push(block('headers', [`Content-Type: ${body.type}`]))
    blocks.push(block(`body:${mode}`, body.text.split('\n')))
  }
  if (description) blocks.push(block('docs', description.split('\n')))
  return `${blocks.join('\n')}`
}

function block(name: string, lines: readonly string[]): string {
  return `${name} {\n${lines.map((line) => `  ${line}`).join('\n')}\n}\n`
}
