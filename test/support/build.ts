import { execFileSync } from 'node:child_process'

/**
 * Compiles the server and the console once, before the tests that start them: with a umask that
 * closes everything to other users, for whom the build opens it.
 */
export default function buildWhenStale(): void {
  const build = "import('./bin/build.js').then(({ build, isStale }) => { if (isStale()) build() })"
  const script = `process.umask(0o077); ${build}`
  execFileSync(process.execPath, ['-e', script], { stdio: 'inherit' })
}
