import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../../', import.meta.url)

/**
 * Imports a module of the compiled product, as production runs it: the sources through a loader are
 * slower, and so are the threads that they start.
 */
export async function built<Module>(path: string): Promise<Module> {
  const build = `import('./bin/build.js').then(({ build, isStale }) => { if (isStale()) build() })`
  execFileSync(process.execPath, ['-e', build], { cwd: fileURLToPath(ROOT), stdio: 'inherit' })
  return (await import(new URL(`dist/${path}.js`, ROOT).href)) as Module
}
