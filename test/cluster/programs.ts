import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where Debian installs them; its PATH has no sbin for ordinary users. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin']
const DEBIAN_POSTGRES = '/usr/lib/postgresql'
/** The oldest PostgreSQL that Pavilion works with. */
const VERSION_MIN = 15

/** The programs of the lab, as Debian's packages install them. */
const found = {
  etcd: findProgram('etcd'),
  patroni: findProgram('patroni'),
  patronictl: findProgram('patronictl'),
  haproxy: findProgram('haproxy'),
  /** The folder of initdb, postgres and pg_rewind. */
  postgres: findPostgres(),
}

/** The names of those that are not installed; `.ci/run` installs them. */
export const missingPrograms = Object.entries(found).flatMap(([name, path]) =>
  path === undefined ? [name] : [],
)

export type ProgramName = keyof typeof found

export function pathOf(name: ProgramName): string {
  const path = found[name]
  if (path === undefined) throw new Error(`${name} is not installed`)
  return path
}

function findProgram(name: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

function findPostgres(): string | undefined {
  if (!existsSync(DEBIAN_POSTGRES)) return undefined
  return readdirSync(DEBIAN_POSTGRES)
    .filter((version) => Number(version) >= VERSION_MIN)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(DEBIAN_POSTGRES, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'postgres')))
}

/**
 * Up to 3.0, Patroni's code for version 3 of etcd's interface writes the lock of the leader without
 * a comparison. A leader that was frozen between reading and writing takes the lock from its
 * successor when it is thawed, and what the successor acknowledged is lost. With version 2 it
 * compares.
 */
export function needsOldEtcd(): boolean {
  const printed = execFileSync(pathOf('patroni'), ['--version'], { encoding: 'utf8' })
  const [major, minor] = (/\d+\.\d+/.exec(printed)?.[0] ?? '0.0').split('.').map(Number)
  return major < 3 || (major === 3 && minor === 0)
}
