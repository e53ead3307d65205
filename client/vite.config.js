import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

/** One module without imports. Programs that bundle it compress it themselves. */
export default defineConfig({
  root: here('.'),
  publicDir: false,
  build: {
    target: 'es2022',
    lib: { entry: here('src/index.ts'), formats: ['es'], fileName: 'index' },
    minify: false,
    reportCompressedSize: false,
    emptyOutDir: true,
  },
})
