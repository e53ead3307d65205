/** Metrics that are not counted by this process: what waits in the database, disks and versions. */
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import {
  type ArchiveStatus,
  type BackupStatus,
  readArchiveStatus,
  readBackupStatus,
} from '../../database/backup/backup-status.ts'
import type { Db } from '../../database/open.ts'
import {
  countWaitingDeliveries,
  type WaitingDeliveries,
} from '../../events/webhook-delivery-store.ts'
import { countRecentImports } from '../../feeds/importing/import-store.ts'
import { countSources, type SourceFigures } from '../../feeds/sources/run-store.ts'
import { countRecentJewelryImports } from '../../jewelry/importing/import-store.ts'
import { countMails, type MailFigures } from '../../notices/outbox/mail-store.ts'
import { readVersion } from '../../version.ts'

interface MarketMetricsOptions {
  db: Db
  /** Undefined when Pavilion stores nothing on this machine. */
  dataFolder?: string
}

/** All processes of a node see the same database and the same disks. */
const aggregator = 'first'

export function addMarketMetrics(registry: Registry, { db, dataFolder }: MarketMetricsOptions) {
  const figures = createFigures(db)
  addVersions(registry, figures)
  addWebhooks(registry, figures)
  addImports(registry, figures)
  addSources(registry, figures)
  addMails(registry, figures)
  addBackups(registry, figures)
  addDisks(registry, { ...(dataFolder && { data: dataFolder }), temp: tmpdir() })
}

/** What one reading of the database found. */
interface Figures {
  postgresql: string
  deliveries: WaitingDeliveries
  imports: { status: string; count: number }[]
  sources: SourceFigures
  mails: MailFigures
  backup: BackupStatus | undefined
  archive: ArchiveStatus | undefined
}

/** However many scrape `/metrics`, a process asks the database at most this often. */
const FIGURES_KEPT_MS = 15_000
/** `/metrics` is answered without them while the database is slow or away. */
const FIGURES_WAIT_MS = 1_000

type ReadFigures = () => Promise<Figures | undefined>

function createFigures(db: Db): ReadFigures {
  let reading: Promise<Figures | undefined> = Promise.resolve(undefined)
  let readAtMs = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - readAtMs > FIGURES_KEPT_MS) {
      readAtMs = performance.now()
      reading = withinTime(readFigures(db)).then((figures) => {
        // The next scrape asks again.
        if (!figures) readAtMs = Number.NEGATIVE_INFINITY
        return figures
      })
    }
    return reading
  }
}

async function readFigures(db: Db): Promise<Figures> {
  const { rows } = await sql<{ version: string }>`
    select current_setting('server_version') as version`.execute(db)
  const deliveries = await countWaitingDeliveries(db)
  const imports = await countImports(db)
  const sources = await countSources(db)
  const mails = await countMails(db)
  const backup = await readBackupStatus(db)
  const archive = await readArchiveStatus(db)
  return { postgresql: rows[0].version, deliveries, imports, sources, mails, backup, archive }
}

async function withinTime(figures: Promise<Figures>): Promise<Figures | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), FIGURES_WAIT_MS)
  })
  try {
    return await Promise.race([figures.catch(() => undefined), late])
  } finally {
    clearTimeout(timer)
  }
}

function addVersions(registry: Registry, figures: ReadFigures): void {
  const version = readVersion()
  const node = process.versions.node
  // The last known one, while the database is away.
  let postgresql = 'unknown'
  new Gauge({
    name: 'pavilion_build_info',
    help: 'Versions of Pavilion, Node and PostgreSQL, as labels; the value is 1',
    labelNames: ['version', 'node', 'postgresql'],
    aggregator,
    registers: [registry],
    async collect() {
      postgresql = (await figures())?.postgresql ?? postgresql
      this.reset()
      this.set({ version, node, postgresql }, 1)
    },
  })
}

function addWebhooks(registry: Registry, figures: ReadFigures): void {
  const add = (name: string, help: string, read: (waiting: WaitingDeliveries) => number) =>
    new Gauge({
      name: `pavilion_webhook_${name}`,
      help,
      aggregator,
      registers: [registry],
      async collect() {
        const found = await figures()
        // Absent, and not 0, while the database is away.
        if (found) this.set(read(found.deliveries))
        else this.remove()
      },
    })
  add('waiting', 'Webhook deliveries that are pending, at most 10,000', ({ count }) => count)
  add('overdue_seconds', 'How long the oldest webhook delivery is overdue', (waiting) =>
    Math.max(0, waiting.overdue_seconds),
  )
}

/** Imports of stones and of jewelry; those of jewelry are done at once, or have failed. */
async function countImports(db: Db): Promise<{ status: string; count: number }[]> {
  const jewelry = await countRecentJewelryImports(db)
  return (await countRecentImports(db)).map(({ status, count }) => {
    const more = jewelry.find((each) => each.status === status)?.count ?? 0
    return { status, count: count + more }
  })
}

function addImports(registry: Registry, figures: ReadFigures): void {
  new Gauge({
    name: 'pavilion_imports_last_day',
    help: 'Imports that began within 24 hours, on all nodes, by their status',
    labelNames: ['status'],
    aggregator,
    registers: [registry],
    async collect() {
      this.reset()
      for (const { status, count } of (await figures())?.imports ?? []) this.set({ status }, count)
    },
  })
}

function addSources(registry: Registry, figures: ReadFigures): void {
  new Gauge({
    name: 'pavilion_sources',
    help: 'Feed sources by their state',
    labelNames: ['state'],
    aggregator,
    registers: [registry],
    async collect() {
      this.reset()
      const found = await figures()
      if (!found) return
      const { active, failing, paused } = found.sources
      for (const [state, count] of Object.entries({ active, failing, paused })) {
        this.set({ state }, count)
      }
    },
  })
  new Gauge({
    name: 'pavilion_source_overdue_seconds',
    help: 'How long the source that waits longest is overdue',
    aggregator,
    registers: [registry],
    async collect() {
      const found = await figures()
      if (found) this.set(Math.max(0, found.sources.overdue_seconds))
      else this.remove()
    },
  })
}

function addMails(registry: Registry, figures: ReadFigures): void {
  const add = (name: string, help: string, read: (mails: MailFigures) => number) =>
    new Gauge({
      name: `pavilion_mail_${name}`,
      help,
      aggregator,
      registers: [registry],
      async collect() {
        const found = await figures()
        if (found) this.set(read(found.mails))
        else this.remove()
      },
    })
  add('waiting', 'E-mails that wait to be sent, at most 10,000', ({ waiting }) => waiting)
  add('failed', 'E-mails of the last 30 days that were given up', ({ failed }) => failed)
  add('waiting_seconds', 'How long the oldest e-mail waits to be sent', (mails) =>
    Math.max(0, mails.waiting_seconds),
  )
}

/** Absent before the first backup, and where PostgreSQL does not archive its log. */
function addBackups(registry: Registry, figures: ReadFigures): void {
  const add = (
    name: string,
    help: string,
    read: (found: Pick<Figures, 'backup' | 'archive'>) => number | null | undefined,
  ) =>
    new Gauge({
      name: `pavilion_${name}`,
      help,
      aggregator,
      registers: [registry],
      async collect() {
        const found = await figures()
        const value = found && read(found)
        if (value === undefined || value === null) this.remove()
        else this.set(value)
      },
    })
  add(
    'backup_age_seconds',
    'Time since the last backup that succeeded',
    ({ backup }) => backup?.age_seconds,
  )
  add('backup_failures', 'Backups that have failed since', ({ backup }) => backup?.failures)
  add(
    'wal_archive_age_seconds',
    'Time since PostgreSQL archived a file of its log',
    (found) => found.archive?.age_seconds,
  )
  add(
    'wal_archive_failing',
    '1 when the last file could not be archived',
    ({ archive }) => archive && Number(archive.failing !== null),
  )
}

function addDisks(registry: Registry, folders: Record<string, string>): void {
  const add = (name: string, help: string, read: (disk: DiskBlocks) => number) =>
    new Gauge({
      name: `pavilion_disk_${name}_bytes`,
      help,
      labelNames: ['folder'],
      aggregator,
      registers: [registry],
      async collect() {
        this.reset()
        for (const [folder, path] of Object.entries(folders)) {
          const disk = await statfs(path).catch(() => undefined)
          if (disk) this.set({ folder }, read(disk))
        }
      },
    })
  add('free', 'Bytes that Pavilion may still write to the disk', (disk) => disk.bavail * disk.bsize)
  add('size', 'Bytes that the disk has in all', (disk) => disk.blocks * disk.bsize)
}

interface DiskBlocks {
  bavail: number
  blocks: number
  bsize: number
}
