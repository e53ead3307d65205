import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isRoot } from '../support/embedded.ts'

/** A checkout of its own, whose build is refused. */
let checkout: string

beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), 'pavilion-build-'))
  for (const name of ['bin', 'src', 'console', 'client', 'package.json', 'tsconfig.json']) {
    cpSync(resolve(name), join(checkout, name), { recursive: true })
  }
  symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'))
})
afterAll(() => rmSync(checkout, { recursive: true, force: true }))

describe('the build', () => {
  // By support/build.ts, for all tests.
  it('can be read by another user, although it was made with the umask 077', () => {
    const dist = resolve('dist')
    const names = ['', ...readdirSync(dist, { recursive: true, encoding: 'utf8' })]
    expect(names).toContain(join('cli', 'main.js'))
    expect(names).toContain(join('documents', 'fonts', 'OFL.txt'))
    const isClosed = (name: string) => {
      const entry = statSync(join(dist, name))
      const wanted = entry.isDirectory() ? 0o755 : 0o644
      return (entry.mode & 0o777) !== wanted
    }
    expect(names.filter(isClosed)).toEqual([])
  })

  it('removes what an interrupted one left, but not the folder of one that runs', () => {
    const [abandoned, running] = ['.build-old', '.build-new'].map((name) => join(checkout, name))
    for (const folder of [abandoned, running]) mkdirSync(join(folder, 'cli'), { recursive: true })
    const yesterday = new Date(Date.now() - 86_400_000)
    utimesSync(abandoned, yesterday, yesterday)
    const remove = "import('./bin/build.js').then(({ removeAbandoned }) => removeAbandoned('.'))"
    execFileSync(process.execPath, ['-e', remove], { cwd: checkout })
    expect(readdirSync(checkout).filter((name) => name.startsWith('.build-'))).toEqual([
      '.build-new',
    ])
  })

  it.skipIf(!isRoot)('is refused with a sentence for a user who cannot write there', () => {
    const compile = () =>
      execFileSync(process.execPath, ['bin/build.js'], {
        cwd: checkout,
        uid: 1,
        gid: 1,
        stdio: 'pipe',
        encoding: 'utf8',
      })
    execFileSync('chmod', ['-R', 'a+rX', checkout])
    expect(compile).toThrow(/this user cannot write there: run "npm run build" as the owner/)
  })
})
