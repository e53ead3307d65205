import { execFileSync } from 'node:child_process'

/** Compiles what the tests serve, unless it is newer than the sources already. */
export function buildWhenStale(): void {
  const script = "import('./bin/build.js').then(({ build, isStale }) => { if (isStale()) build() })"
  execFileSync(process.execPath, ['-e', script], { stdio: 'inherit' })
}
