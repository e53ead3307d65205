// Compiles src/, the kernel of the index and the console into dist/, copies the fonts, and compiles
// the client into client/dist/. This happens in a temporary folder that replaces dist/ in one step,
// so that two commands started at once in a fresh checkout cannot see half a build.
import { execFileSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const client = join(root, 'client')
const clientDist = join(client, 'dist')
/** Below dist/, beside the module that loads it. */
const KERNEL = join('index', 'kernel', 'kernel.wasm')
const KERNEL_SOURCES = join('src', 'index', 'kernel', 'assembly')
/** The fonts of the PDFs and their licence. */
const FONTS = join('documents', 'fonts')

/** Whether dist/ is missing or older than what it is made from. */
export function isStale() {
  if (!existsSync(join(root, 'src'))) return false
  const stamp = statSync(join(dist, '.built'), { throwIfNoEntry: false })
  if (!stamp || !existsSync(join(clientDist, 'index.js'))) return true
  const sources = ['src', 'console', 'client/src', 'package.json'].map((name) => join(root, name))
  return Math.max(...sources.map(newestOf)) > stamp.mtimeMs
}

export function build() {
  refuseForeignCheckout()
  const started = new Date()
  for (const folder of [root, client]) removeAbandoned(folder)
  const aside = mkdtempSync(join(root, '.build-'))
  const clientAside = mkdtempSync(join(client, '.build-'))
  try {
    compile(join(root, 'src'), aside)
    buildKernel(join(aside, KERNEL))
    buildConsole(join(aside, 'console'))
    cpSync(join(root, 'src', FONTS), join(aside, FONTS), { recursive: true })
    buildClient(aside, clientAside)
    runNode([join(root, 'bin', 'join-modules.js'), aside])
    // The stamp has the time of the start, so that a file edited meanwhile counts as newer.
    const stamp = join(aside, '.built')
    writeFileSync(stamp, `${started.toISOString()}\n`)
    utimesSync(stamp, started, started)
    letOthersRead(aside)
    letOthersRead(clientAside)
    // Before dist/, whose stamp says that everything is built.
    swap(clientAside, clientDist, 'index.js')
    swap(aside, dist, '.built')
  } finally {
    for (const folder of [aside, clientAside]) rmSync(folder, { recursive: true, force: true })
  }
}

/** Longer than any build takes. */
const ABANDONED_AFTER_MS = 3_600_000

/** A build that was interrupted leaves its folder. */
export function removeAbandoned(parent) {
  for (const name of readdirSync(parent).filter((each) => each.startsWith('.build-'))) {
    const path = join(parent, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat && Date.now() - stat.mtimeMs > ABANDONED_AFTER_MS)
      rmSync(path, { recursive: true, force: true })
  }
}

/** A service user cannot compile in a checkout that is not its own. */
function refuseForeignCheckout() {
  try {
    accessSync(root, constants.W_OK)
  } catch {
    throw new Error(
      `The sources in ${root} are newer than dist/, and this user cannot write there: run ` +
        '"npm run build" as the owner of the folder.',
    )
  }
}

/** A service may run as another user than the one who compiled, whatever that one's umask is. */
function letOthersRead(path) {
  const isFolder = statSync(path).isDirectory()
  chmodSync(path, isFolder ? 0o755 : 0o644)
  if (isFolder) for (const name of readdirSync(path)) letOthersRead(join(path, name))
}

/** Compiles the inner loops of the index, unless the last build already has them. */
function buildKernel(file) {
  const sources = [KERNEL_SOURCES, 'package.json', 'bin/build.js'].map((name) => join(root, name))
  const builtAt = statSync(join(dist, '.built'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const isUnchanged = Math.max(...sources.map(newestOf)) <= builtAt
  if (isUnchanged && copyIfPresent(join(dist, KERNEL), file)) return
  const config = join(root, KERNEL_SOURCES, 'asconfig.json')
  run('assemblyscript', 'bin/asc.js', ['--config', config, '--outFile', file])
}

/** Returns whether there was a file to copy; another build may replace dist/ at any moment. */
function copyIfPresent(from, to) {
  try {
    copyFileSync(from, to)
    return true
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw error
  }
}

/** Vite reads its configuration as it is, so that it writes nothing beside it. */
function buildConsole(folder) {
  const options = ['--configLoader', 'native', '--logLevel', 'error', '--outDir', folder]
  // The pages first, which clear the folder, then the script of the shop window.
  for (const name of ['vite.config.js', 'vite.window.config.js']) {
    const config = join(root, 'console', name)
    run('vite', 'bin/vite.js', ['build', '--config', config, ...options])
  }
  compressBelow(folder)
}

/** One module, its declarations, and the types of the operations from the compiled server. */
function buildClient(server, folder) {
  const config = join(client, 'vite.config.js')
  const options = ['--configLoader', 'native', '--logLevel', 'error', '--outDir', folder]
  run('vite', 'bin/vite.js', ['build', '--config', config, ...options])
  compile(client, folder)
  const script = join(root, 'bin', 'client-types.js')
  runNode([script, server, join(folder, 'api.d.ts')])
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.d.ts'))) {
    const path = join(folder, name)
    const text = readFileSync(path, 'utf8')
    // Those who install the package have no sources.
    writeFileSync(path, text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
  }
}

/** Below this a compressed file saves nothing worth its header. */
const COMPRESSED_FROM_BYTES = 1024

/** Writes `name.br` beside each file, so that no start of the server has to compress them. */
function compressBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) compressBelow(path)
    else if (statSync(path).size > COMPRESSED_FROM_BYTES) {
      writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)))
    }
  }
}

/**
 * Compiles a TypeScript project without checking its types, which takes eight times as long: those
 * who start the server do not wait for it, and "npm run check" does it.
 */
function compile(project, folder) {
  run('typescript', 'bin/tsc', ['-p', project, '--outDir', folder, '--noCheck'])
}

/** Runs a script of an installed package, which is found by its package.json. */
function run(name, script, args) {
  const require = createRequire(import.meta.url)
  let path
  try {
    path = join(dirname(require.resolve(`${name}/package.json`)), script)
  } catch {
    throw new Error(`${name} is not installed; run "npm ci" first.`)
  }
  runNode([path, ...args])
}

function runNode(args) {
  execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] })
}

/** Puts a folder in place of another; every build of it has the file `sign`. */
function swap(aside, target, sign) {
  const old = `${aside}-old`
  if (existsSync(target)) renameSync(target, old)
  try {
    renameSync(aside, target)
  } catch (error) {
    // Another build was faster, and its result is the same.
    if (!existsSync(join(target, sign))) throw error
  }
  rmSync(old, { recursive: true, force: true })
}

/** Every command walks the sources in a checkout, so paths are joined without `join`. */
function newestOf(path) {
  const entry = statSync(path, { throwIfNoEntry: false })
  if (!entry) return 0
  return entry.isDirectory() ? newestBelow(path) : entry.mtimeMs
}

function newestBelow(folder) {
  let newest = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    const time = entry.isDirectory() ? newestBelow(path) : newestOf(path)
    if (time > newest) newest = time
  }
  return newest
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build()
