import { execFileSync } from 'node:child_process'

/** Compiles what the tests start and serve before the first of them: none meets half a build. */
export default function buildWhenStale(): void {
  const script = "import('./bin/build.js').then(({ build, isStale }) => { if (isStale()) build() })"
  execFileSync(process.execPath, ['-e', script], { stdio: 'inherit' })
}
