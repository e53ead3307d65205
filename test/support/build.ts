import { execFileSync } from 'node:child_process'

/** Compiles the server and the console once, before the tests that start them. */
export default function buildWhenStale(): void {
  const script = "import('./bin/build.js').then(({ build, isStale }) => { if (isStale()) build() })"
  execFileSync(process.execPath, ['-e', script], { stdio: 'inherit' })
}
