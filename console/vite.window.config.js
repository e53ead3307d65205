import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** The shop window is one script, `window.js`, that pages of other origins load. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: false,
  build: {
    target: 'es2022',
    reportCompressedSize: false,
    // Beside the console, which is built before it.
    emptyOutDir: false,
    lib: {
      entry: fileURLToPath(new URL('src/window/main.ts', import.meta.url)),
      formats: ['es'],
      fileName: () => 'window.js',
    },
    minify: true,
  },
})
