import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnchanged } from '../response/etag.ts'
import { problem, sendNotFound, sendProblem } from '../response/problems.ts'
import { type App, publicAccess } from '../route.ts'

const config = { access: publicAccess, undocumented: true } as const

/** Lets the console load from and call its own address only, and run no inline script. */
const CONSOLE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
  "media-src blob:; font-src 'self'; connect-src 'self'; frame-src 'self'; manifest-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** The paths of the console's pages. All serve the same file, so a reload works on each. */
const CONSOLE_PATHS = [
  '/',
  '/sign-in',
  '/search',
  '/find',
  '/stones/*',
  '/compare',
  '/curated',
  '/parcels',
  '/jewelry',
  '/jewelry/*',
  '/gemstones',
  '/saved',
  '/saved/*',
  '/basket',
  '/orders',
  '/orders/*',
  '/quotes',
  '/quotes/*',
  '/returns',
  '/memos',
  '/account',
  '/holds',
  '/shares',
  '/watch',
  '/notices',
  '/settings',
  '/settings/*',
  '/operator',
  '/operator/*',
  '/supplier/*',
] as const

/** What is not for people, or is not a page of the console; `//api` is a program's mistake. */
const OTHER_PATHS = /^\/+(api|docs|openapi|assets|media|shapes|share|mcp|metrics)\b/i

declare module 'fastify' {
  interface FastifyInstance {
    /** Shows a person the console's own page at an unknown address; false for programs. */
    sendUnknownPage?: (request: FastifyRequest, reply: FastifyReply) => boolean
  }
}

function withPolicy(reply: FastifyReply): FastifyReply {
  reply.header('content-security-policy', CONSOLE_POLICY)
  return reply.header('referrer-policy', 'no-referrer').header('cache-control', 'no-cache')
}

interface Asset {
  type: string
  plain: Buffer
  brotli: Buffer | undefined
}

/** Serves the compiled console; if it is not compiled, a page that says so. */
export function registerConsole(app: App): void {
  const assets = assetsIn(compiledFolder())
  const page = assets.get('index.html')
  for (const path of CONSOLE_PATHS) {
    app.get(path, { config }, (request, reply) => {
      withPolicy(reply)
      if (page) return sendAsset(request, reply, page)
      reply.header('content-type', 'text/plain; charset=utf-8')
      return reply.send('The console is not compiled; run "npm run build". The API is at /docs.\n')
    })
  }
  app.decorate('sendUnknownPage', (request, reply) => {
    const wantsPage = /\btext\/html\b/.test(request.headers.accept ?? '')
    if (!page || !wantsPage || request.method !== 'GET' || OTHER_PATHS.test(request.url))
      return false
    sendAsset(request, withPolicy(reply).code(404), page)
    return true
  })
  app.get('/assets/*', { config }, (request, reply) => {
    const { '*': name } = request.params as { '*': string }
    const asset = assets.get(`assets/${name}`)
    if (!asset) {
      // Without the long cache time: the next build may have a file of this name again.
      const detail = 'The console was updated; reload the page.'
      return sendProblem(request, reply, problem(404, 'not_found', detail))
    }
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    return sendAsset(request, reply, asset)
  })
  registerWindowScript(app, assets.get('window.js'))
  app.get('/favicon.svg', { config }, (request, reply) => {
    const icon = assets.get('favicon.svg')
    if (!icon) return sendNotFound(request, reply)
    return sendAsset(request, reply.header('cache-control', ICON_CACHE), icon)
  })
  // Browsers ask for it on every page without an icon, such as a share, which is the shop's page.
  app.get('/favicon.ico', { config }, (_, reply) =>
    reply.code(204).header('cache-control', ICON_CACHE).send(),
  )
}

const ICON_CACHE = 'public, max-age=86400'

/** Long enough for a visit, short enough that an update of the market reaches shops. */
const WINDOW_CACHE = 'public, max-age=600, stale-while-revalidate=86400'

/** The script of the shop window, which pages of other origins load as a module. */
function registerWindowScript(app: App, script: Asset | undefined): void {
  const etag = script && `W/"${createHash('sha1').update(script.plain).digest('base64url')}"`
  app.get('/window.js', { config }, (request, reply) => {
    if (!script || !etag) {
      const detail = 'The shop window is not compiled; run "npm run build".'
      return sendProblem(request, reply, problem(404, 'not_found', detail))
    }
    // A page may allow only what says that other origins may load it.
    reply.header('cross-origin-resource-policy', 'cross-origin')
    if (isUnchanged(request, reply, etag, WINDOW_CACHE)) return reply.code(304).send()
    return sendAsset(request, reply, script)
  })
}

function compiledFolder(): string {
  const here = fileURLToPath(new URL('.', import.meta.url))
  // dist/http/console when compiled, src/http/console when run from the sources.
  const compiled = join(here, '..', '..', 'console')
  return existsSync(join(compiled, 'index.html'))
    ? compiled
    : join(here, '..', '..', '..', 'dist', 'console')
}

const assetsRead = new Map<string, ReadonlyMap<string, Asset>>()

/** Reads all files once for all markets of the process, a few hundred kilobytes. */
function assetsIn(folder: string): ReadonlyMap<string, Asset> {
  const assets = assetsRead.get(folder) ?? readAssets(folder)
  // Without its page the console is not compiled, and may be later.
  if (assets.has('index.html')) assetsRead.set(folder, assets)
  return assets
}

/** The build has compressed the larger files. */
function readAssets(folder: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>()
  if (!existsSync(folder)) return assets
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    const type = TYPES.get(extname(name))
    if (!type || !statSync(path).isFile()) continue
    const compressed = `${path}.br`
    assets.set(relative(folder, path).replaceAll('\\', '/'), {
      type,
      plain: readFileSync(path),
      brotli: existsSync(compressed) ? readFileSync(compressed) : undefined,
    })
  }
  return assets
}

const TYPES = new Map<string, string>([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.json', 'application/json'],
])

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  reply.header('content-type', asset.type).header('vary', 'Accept-Encoding')
  const takesBrotli = /\bbr\b/.test(request.headers['accept-encoding'] ?? '')
  if (!asset.brotli || !takesBrotli) return reply.send(asset.plain)
  return reply.header('content-encoding', 'br').send(asset.brotli)
}
