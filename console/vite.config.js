import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/**
 * The pages are loaded after the language. The browser fetches both at once, and runs them in order.
 */
const preloadStart = {
  name: 'preload-start',
  transformIndexHtml(_html, { bundle = {} }) {
    const chunks = Object.values(bundle)
    const start = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/src/start.tsx'))
    const names = start ? [start.fileName, ...start.imports] : []
    return names.map((name) => ({
      tag: 'link',
      attrs: { rel: 'modulepreload', crossorigin: '', href: `/${name}` },
      injectTo: 'head',
    }))
  },
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: 'public',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [preloadStart],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: true,
  },
})
