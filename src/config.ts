import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { findNearestName } from './lib/nearest-name.ts'
import { PRIVATE_NETWORKS, parseNetwork, reachableHost } from './lib/networks.ts'
import {
  AUDIT_KEEP_DAYS,
  bytesOf,
  ConfigError,
  choiceOf,
  databaseOf,
  hostsOf,
  limitOf,
  mediaHostsOf,
  portOf,
  positiveOf,
  refuseSamePort,
  refuseWrongDatabases,
  type Settings,
  UPLOAD_MEGABYTES,
  urlOf,
  wholeNumberOf,
} from './lib/settings.ts'
import { type Mailbox, parseMailbox, parseSmtpUrl, type SmtpServer } from './lib/smtp-url.ts'

/** Everything that the environment decides. This is the only file that reads it. */
export interface Config {
  /** Where the embedded PostgreSQL, its password and the key file are kept. */
  dataFolder: string
  /** The account that runs the embedded PostgreSQL when root starts Pavilion. */
  postgresAccount: string
  host: string
  port: number
  sandboxPort: number
  /** The addresses in links. */
  publicUrl: string
  sandboxPublicUrl: string
  /** Whether the environment sets the address of production, and of the sandbox. */
  isAddressGiven: { live: boolean; test: boolean }
  /** Undefined: the embedded PostgreSQL. */
  databaseUrl: string | undefined
  /** Undefined with a databaseUrl: no sandbox. */
  sandboxDatabaseUrl: string | undefined
  /** The same databases without the pooler, when the addresses above are those of one. */
  databaseDirectUrl: string | undefined
  sandboxDatabaseDirectUrl: string | undefined
  /** Replicas of the same databases, from which indexes are loaded and snapshots sent. */
  replicaUrl: string | undefined
  sandboxReplicaUrl: string | undefined
  /** The connections of one process to one market for requests. */
  databaseConnections: number
  /** Its connections to one market for other work. */
  poolSizes: { imports: number; background: number; following: number }
  /** The largest file that can be uploaded; all uploads of a process take at most twice as much. */
  uploadBytesMax: number
  /** Whether the server sends e-mails and webhooks, and fetches from suppliers, by itself. */
  outgoing: boolean
  /** Whether an empty market gets demo merchants and stones. */
  demo: boolean
  logLevel: string
  /** Requests a minute for each token; 0: no limit. */
  rateLimitPerMinute: number
  /** Requests a minute for all tokens of a merchant together; 0: no limit. */
  merchantRateLimitPerMinute: number
  /** Calls a minute without a valid token for each address; 0: no limit. */
  addressLimitPerMinute: number
  /** Addresses and networks of proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[]
  /** Where metrics are served with all details; undefined: on the ports of the markets. */
  metricsPort: number | undefined
  metricsHost: string
  /** Whether anyone may read the metrics and the details of `/readyz`. */
  metricsPublic: boolean
  /** How long the port stays open after SIGTERM, for a load balancer to see `/readyz` turn red. */
  drainSeconds: number
  /** Hosts that webhooks may call although they are in a private network: `host`, `host:port`. */
  webhookAllowedHosts: readonly string[]
  /** Hosts that webhooks of the sandbox may call, which may include private networks. */
  sandboxWebhookHosts: readonly string[]
  /** Hosts in a private network that feed sources may fetch from, those of webhooks included. */
  sourceAllowedHosts: readonly string[]
  /** Hosts from which pictures of stones are fetched: `media.example`, `*.media.example`, `*`. */
  mediaHosts: readonly string[]
  /** How much space the fetched pictures may take. */
  mediaBytesMax: number
  /** Whether the data folder has files of the indexes, for the next start. */
  indexFiles: boolean
  /** For how many days the entries of the audit are kept. */
  auditKeepDays: number
  /** Where the embedded PostgreSQL copies its write-ahead log; undefined: nowhere. */
  walArchive: string | undefined
  /** Keys that stored secrets are encrypted with; the first is used. Empty: the key file. */
  secretKeys: readonly string[]
  /** Where e-mails are handed over, and who they come from; undefined: none are sent. */
  mail: { server: SmtpServer; from: Mailbox } | undefined
  /** The market that commands for developers call, and with which key; the server ignores both. */
  calls: { url: string | undefined; key: string | undefined }
}

/** A century: longer than any law asks for. */
const AUDIT_KEEP_DAYS_MAX = 36_500
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
/** No load balancer takes this long to notice; a larger number must be a typing error. */
const DRAIN_SECONDS_MAX = 3600
/** PostgreSQL is slower with more; a larger number must be a typing error. */
const DATABASE_CONNECTIONS_MAX = 1000
/**
 * A page of the console with its pictures takes about a hundred calls, and several people may share
 * an address.
 */
const ADDRESS_LIMIT_PER_MINUTE = 1_200
const PAVILION_NAMES = [
  'PAVILION_ACCOUNT',
  'PAVILION_DATA',
  'PAVILION_DEMO',
  'PAVILION_KEY',
  'PAVILION_OUTGOING',
  'PAVILION_SECRET_KEY',
  'PAVILION_URL',
  'PAVILION_WAL_ARCHIVE',
]
/** 24 random bytes in base64; anything shorter can be guessed. */
const SECRET_KEY_LENGTH_MIN = 32

/**
 * More keys give a merchant at most half as much again, and one key that runs wild leaves the
 * merchant's other keys a third of its minute.
 */
const MERCHANT_PER_TOKEN = 1.5

export function readConfig(env: NodeJS.ProcessEnv = process.env, folder = process.cwd()): Config {
  const settings = { ...readDotEnv(folder), ...env }
  refuseUnknownNames(settings)
  const host = settings.HOST || '127.0.0.1'
  const port = portOf(settings, 'PORT', 8080)
  const sandboxPort = portOf(settings, 'SANDBOX_PORT', 8081)
  const metricsPort = settings.METRICS_PORT ? portOf(settings, 'METRICS_PORT', 0) : undefined
  const metricsHost = settings.METRICS_HOST || host
  const ownMetricsPort = metricsHost === host ? metricsPort : undefined
  refuseSamePort({ PORT: port, SANDBOX_PORT: sandboxPort, METRICS_PORT: ownMetricsPort })
  const rateLimitPerMinute = limitOf(settings, 'RATE_LIMIT_PER_MINUTE', 6000)
  refuseWrongDatabases(settings)
  return {
    dataFolder: resolve(folder, settings.PAVILION_DATA || '.pavilion'),
    postgresAccount: accountOf(settings, 'PAVILION_ACCOUNT'),
    host,
    port,
    sandboxPort,
    publicUrl: urlOf(settings, 'PUBLIC_URL') ?? addressAt(host, port),
    sandboxPublicUrl: urlOf(settings, 'SANDBOX_PUBLIC_URL') ?? addressAt(host, sandboxPort),
    isAddressGiven: {
      live: Boolean(settings.PORT || settings.PUBLIC_URL),
      test: Boolean(settings.SANDBOX_PORT || settings.SANDBOX_PUBLIC_URL),
    },
    databaseUrl: databaseOf(settings, 'DATABASE_URL'),
    sandboxDatabaseUrl: databaseOf(settings, 'SANDBOX_DATABASE_URL'),
    databaseDirectUrl: databaseOf(settings, 'DATABASE_DIRECT_URL'),
    sandboxDatabaseDirectUrl: databaseOf(settings, 'SANDBOX_DATABASE_DIRECT_URL'),
    replicaUrl: databaseOf(settings, 'REPLICA_DATABASE_URL'),
    sandboxReplicaUrl: databaseOf(settings, 'SANDBOX_REPLICA_DATABASE_URL'),
    databaseConnections: positiveOf(settings, 'DATABASE_CONNECTIONS', 10, DATABASE_CONNECTIONS_MAX),
    poolSizes: poolSizesOf(settings),
    uploadBytesMax: bytesOf(settings, 'UPLOAD_MEGABYTES', UPLOAD_MEGABYTES, 1_000_000),
    outgoing: choiceOf(settings, 'PAVILION_OUTGOING', ['on', 'off'], 'on') === 'on',
    demo: choiceOf(settings, 'PAVILION_DEMO', ['on', 'off'], 'on') === 'on',
    logLevel: choiceOf(settings, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    rateLimitPerMinute,
    merchantRateLimitPerMinute: limitOf(
      settings,
      'MERCHANT_RATE_LIMIT_PER_MINUTE',
      Math.ceil(rateLimitPerMinute * MERCHANT_PER_TOKEN),
    ),
    addressLimitPerMinute: limitOf(
      settings,
      'ANONYMOUS_LIMIT_PER_MINUTE',
      // An operator who switches limits off has something in front of Pavilion that limits.
      rateLimitPerMinute === 0 ? 0 : ADDRESS_LIMIT_PER_MINUTE,
    ),
    trustedProxies: proxiesOf(settings, 'TRUST_PROXY'),
    metricsPort,
    metricsHost,
    metricsPublic: choiceOf(settings, 'METRICS_PUBLIC', ['on', 'off'], 'off') === 'on',
    drainSeconds: wholeNumberOf(settings, 'DRAIN_SECONDS', 5, DRAIN_SECONDS_MAX),
    webhookAllowedHosts: hostsOf(settings, 'WEBHOOK_ALLOWED_HOSTS'),
    sandboxWebhookHosts: sandboxHostsOf(settings, host),
    sourceAllowedHosts: [
      ...hostsOf(settings, 'SOURCE_ALLOWED_HOSTS'),
      ...hostsOf(settings, 'WEBHOOK_ALLOWED_HOSTS'),
    ],
    mediaHosts: mediaHostsOf(settings, 'MEDIA_HOSTS'),
    mediaBytesMax: bytesOf(settings, 'MEDIA_CACHE_MEGABYTES', 1024, 10_000_000),
    indexFiles: choiceOf(settings, 'INDEX_FILES', ['on', 'off'], 'on') === 'on',
    auditKeepDays: positiveOf(settings, 'AUDIT_KEEP_DAYS', AUDIT_KEEP_DAYS, AUDIT_KEEP_DAYS_MAX),
    walArchive: folderOf(settings, 'PAVILION_WAL_ARCHIVE', folder),
    secretKeys: keysOf(settings, 'PAVILION_SECRET_KEY'),
    mail: mailOf(settings),
    calls: { url: urlOf(settings, 'PAVILION_URL'), key: settings.PAVILION_KEY || undefined },
  }
}

/** The address of production or of the sandbox in links, unless another one is given. */
function addressAt(host: string, port: number): string {
  const address = `http://${reachableHost(host)}:${port}`
  if (URL.canParse(address)) return address
  throw new ConfigError(
    `HOST is "${host}"; it must be an address or a name of this machine such as 127.0.0.1`,
  )
}

/** Relative to where the process is started. */
function folderOf(settings: Settings, name: string, from: string): string | undefined {
  const path = settings[name]
  return path ? resolve(from, path) : undefined
}

function readDotEnv(folder: string): Settings {
  const path = resolve(folder, '.env')
  if (!existsSync(path)) return {}
  try {
    // Some editors begin a file with a mark, which would become a part of the first name.
    return parseEnv(readFileSync(path, 'utf8').replace(/^\uFEFF/, '')) as Settings
  } catch (error) {
    throw new ConfigError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

function refuseUnknownNames(settings: Settings): void {
  for (const name of Object.keys(settings)) {
    if (!name.startsWith('PAVILION_') || PAVILION_NAMES.includes(name)) continue
    const nearest = findNearestName(name, PAVILION_NAMES)
    const hint = nearest ? `; did you mean ${nearest}?` : `; known: ${PAVILION_NAMES.join(', ')}`
    throw new ConfigError(`${name} is not a setting of Pavilion${hint}`)
  }
}

/** An import that has an Idempotency-Key needs two connections. */
function poolSizesOf(settings: Settings): Config['poolSizes'] {
  const sizeOf = (name: string, absent: number) =>
    positiveOf(settings, `DATABASE_${name}_CONNECTIONS`, absent, DATABASE_CONNECTIONS_MAX)
  const imports = sizeOf('IMPORT', 6)
  if (imports < 2) throw new ConfigError('DATABASE_IMPORT_CONNECTIONS is "1"; it must be 2 or more')
  return { imports, background: sizeOf('BACKGROUND', 3), following: sizeOf('FOLLOWING', 4) }
}

/** Developers receive webhooks on their machines, at least when only they reach the server. */
function sandboxHostsOf(settings: Settings, host: string): string[] {
  const absent = isLoopback(host) ? 'on' : 'off'
  const isLocal = choiceOf(settings, 'SANDBOX_WEBHOOKS_LOCAL', ['on', 'off'], absent) === 'on'
  return [...hostsOf(settings, 'WEBHOOK_ALLOWED_HOSTS'), ...(isLocal ? [PRIVATE_NETWORKS] : [])]
}

/** Whether nobody outside of this machine reaches the server. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function accountOf(settings: Settings, name: string): string {
  const text = settings[name] || 'pavilion'
  // What useradd accepts; the name is an argument of that command.
  if (/^[a-z_][a-z0-9_-]{0,30}$/.test(text)) return text
  throw new ConfigError(`${name} is "${text}"; it must be the name of an account such as pavilion`)
}

/** The message leaves the keys out. */
function keysOf(settings: Settings, name: string): string[] {
  const texts = (settings[name] ?? '').split(',').map((key) => key.trim())
  const keys = texts.filter((key) => key !== '')
  if (keys.every((key) => key.length >= SECRET_KEY_LENGTH_MIN)) return keys
  throw new ConfigError(
    `${name} has a key of less than ${SECRET_KEY_LENGTH_MIN} characters; ` +
      'use the output of "openssl rand -base64 32"',
  )
}

/** The address contains a password, so the messages leave it out. */
function mailOf(settings: Settings): Config['mail'] {
  const from = settings.MAIL_FROM ? parseMailbox(settings.MAIL_FROM) : undefined
  const example = 'such as Gems <orders@gems.example>'
  if (settings.MAIL_FROM && !from) {
    throw new ConfigError(`MAIL_FROM is "${settings.MAIL_FROM}"; it must be an address ${example}`)
  }
  if (!settings.SMTP_URL) return undefined
  const server = parseSmtpUrl(settings.SMTP_URL)
  if (typeof server === 'string') throw new ConfigError(`SMTP_URL ${server}`)
  if (!from) throw new ConfigError(`SMTP_URL is set; MAIL_FROM must be an address too, ${example}`)
  return { server, from }
}

/** The word `loopback` stands for the addresses of this machine. */
function proxiesOf(settings: Settings, name: string): string[] {
  const words = (settings[name] ?? '').split(/[\s,]+/).filter((word) => word !== '')
  return words.flatMap((word) => {
    if (word === 'loopback') return ['127.0.0.0/8', '::1/128']
    if (parseNetwork(word)) return [word]
    const examples = 'use addresses and networks such as loopback, 10.0.0.7 or 10.1.0.0/16'
    throw new ConfigError(`${name} has "${word}"; ${examples}`)
  })
}
