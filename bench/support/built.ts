import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../../', import.meta.url)

/** Compiles Pavilion unless dist/ is up to date; the index needs the kernel that is in it. */
export function buildWhenStale(): void {
  const build = `import('./bin/build.js').then(({ build, isStale }) => { if (isStale()) build() })`
  execFileSync(process.execPath, ['-e', build], { cwd: fileURLToPath(ROOT), stdio: 'inherit' })
}

/**
 * Imports a module of the compiled product, as production runs it: the sources through a loader are
 * slower, and so are the threads that they start.
 */
export async function built<Module>(path: string): Promise<Module> {
  buildWhenStale()
  return (await import(new URL(`dist/${path}.js`, ROOT).href)) as Module
}
