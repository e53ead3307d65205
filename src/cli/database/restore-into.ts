import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { KEY_FILE } from '../../database/backup/make-backup.ts'
import { listed, type Manifest, type MarketPart } from '../../database/backup/manifest.ts'
import {
  refuseOtherSchema,
  refuseUsedDatabase,
  restoreMarket,
} from '../../database/backup/restore-market.ts'
import { hasCluster, pathsIn } from '../../database/embedded/cluster.ts'
import { ensureFolder } from '../../database/embedded/embedded.ts'
import { adoptKeys, keyFileIn } from '../../database/secrets/key-file.ts'
import { Refusal } from '../../lib/refusal.ts'
import { embeddedOptions, embeddedUrlOf, tellNewAccount } from '../market.ts'
import { findArchive, type Moment, replay } from './restore-at.ts'
import { withEmbedded } from './with-embedded.ts'

interface RestoreRequest {
  /** The folder of the backup, which was verified. */
  backup: string
  manifest: Manifest
  /** What of it is restored. */
  markets: readonly MarketPart[]
  config: Config
  onRows: (rows: number) => void
  /** Goes on from the backup to this moment, with the archived log. */
  at?: Moment | undefined
}

export interface Restored {
  into: string
  /** As they are in the backup; with `at`, what came after it was added. */
  markets: { realm: string; taken_on: string; rows: number; change_sequence: number }[]
  at: string | null
  /** How many keys of stored secrets were added to the key file. */
  keys_added: number
  /** What the operator should know or do next. */
  notes: string[]
}

export async function restoreIntoUrl(url: string, request: RestoreRequest): Promise<Restored> {
  const { backup, markets, config, onRows } = request
  for (const market of markets) await refuseOtherSchema(market)
  await refuseUsedDatabase(url)
  for (const market of markets) await restoreMarket(url, backup, market, onRows)
  const keys = await addKeys(config.dataFolder, request)
  const { host, pathname } = new URL(url)
  const left = request.manifest.markets.filter((market) => !markets.includes(market))
  const other = left.some(({ realm }) => realm === 'test')
    ? ['The backup also has the sandbox: restore it with --sandbox into another database.']
    : []
  return {
    into: `${host}${pathname}`,
    ...describe(request, keys),
    notes: [...keys.notes, ...other],
  }
}

/**
 * The file `restore-unfinished` is the first thing in the folder and removed last, so that nobody
 * serves a part of a market.
 */
export async function restoreIntoFolder(
  folder: string,
  request: RestoreRequest,
): Promise<Restored> {
  const { backup, markets, config, manifest, at } = request
  for (const market of markets) await refuseOtherSchema(market)
  await refuseUsedFolder(folder)
  const archive = at === undefined ? undefined : await findArchive(manifest, at, config)
  const paths = pathsIn(await ensureFolder(folder))
  await writeFile(paths.unfinishedFile, `Restoring from ${backup}\n`, { mode: 0o600, flush: true })
  if (at !== undefined && archive) await replay(paths, backup, archive, at, config)
  else await restoreRows(folder, request)
  const keys = await addKeys(folder, request)
  await rm(paths.unfinishedFile)
  const start = `Start it with PAVILION_DATA=${folder} pavilion start.`
  return { into: folder, ...describe(request, keys), notes: [...keys.notes, start] }
}

async function restoreRows(folder: string, request: RestoreRequest): Promise<void> {
  const { backup, markets, config, onRows } = request
  const options = embeddedOptions({ ...config, dataFolder: folder, walArchive: undefined })
  const restoring = { ...options, isRestoring: true, serve: false, onEvent: tellNewAccount }
  await withEmbedded(restoring, async (embedded) => {
    for (const market of markets) {
      await restoreMarket(await embeddedUrlOf(embedded, market.realm), backup, market, onRows)
    }
  })
}

function describe({ markets, at }: RestoreRequest, { added }: { added: number }) {
  const shown = markets.map(({ realm, taken_on, rows, change_sequence }) => ({
    realm,
    taken_on,
    rows,
    change_sequence,
  }))
  const moment = at === undefined ? null : at === 'latest' ? at : at.toISOString()
  return { markets: shown, at: moment, keys_added: added }
}

async function refuseUsedFolder(folder: string): Promise<void> {
  const names: string[] = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    if (error.code !== 'ENOTDIR') throw error
    throw new Refusal('invalid_request', `${folder} is a file; name a new data folder.`)
  })
  if (names.length === 0) return
  const paths = pathsIn(folder)
  const hint = 'Name a new folder.'
  const seen = names.includes('restore-unfinished')
    ? 'an earlier restore into it was not finished. Remove the folder and restore again.'
    : (await hasCluster(paths))
      ? `it has a market, in ${paths.cluster}. ${hint}`
      : `it has ${listed(names)}. ${hint}`
  throw new Refusal('market_not_empty', `${folder} is not empty: ${seen}`)
}

/** Without the keys that were in use, a market cannot sign its webhooks. */
async function addKeys(dataFolder: string, { backup, manifest }: RestoreRequest) {
  const file = keyFileIn(dataFolder)
  const { secret_key, environment_key } = manifest
  const added = secret_key === 'included' ? await adoptKeys(file, join(backup, KEY_FILE)) : 0
  const notes: string[] = []
  if (added > 0) notes.push(`Added ${added === 1 ? 'its key' : `${added} keys`} to ${file}.`)
  if (secret_key === 'left_out') {
    notes.push(`Copy the secret.key of the market to ${file} before it is started.`)
  }
  if (environment_key) notes.push('Start it with the PAVILION_SECRET_KEY that it had.')
  return { added, notes }
}
