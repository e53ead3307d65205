/** Reads single settings, and says what is wrong with one that cannot be used. */

/** A setting that cannot be used. The message names it and says what is allowed. */
export class ConfigError extends Error {}

/** Unless the setting is given: eight times the list of a million stones. */
export const UPLOAD_MEGABYTES = 4_096
/** Unless the setting is given: two years, as an accountant asks about the last closed one. */
export const AUDIT_KEEP_DAYS = 730

export type Settings = Record<string, string | undefined>

export function portOf(settings: Settings, name: string, absent: number): number {
  return wholeNumberOf(settings, name, absent, 65_535)
}

export function limitOf(settings: Settings, name: string, absent: number): number {
  return wholeNumberOf(settings, name, absent, 1_000_000_000)
}

/** Refuses a port that two listeners would have; 0 lets the system choose a free one. */
export function refuseSamePort(ports: Record<string, number | undefined>): void {
  const named = Object.entries(ports).filter(([, port]) => port !== undefined && port !== 0)
  for (const [index, [name, port]] of named.entries()) {
    const [other] = named.slice(index + 1).find(([, each]) => each === port) ?? []
    if (other) throw new ConfigError(`${name} and ${other} are both ${port}; they must differ`)
  }
}

export function wholeNumberOf(
  settings: Settings,
  name: string,
  absent: number,
  max: number,
  min = 0,
): number {
  const text = settings[name]
  if (text === undefined || text === '') return absent
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new ConfigError(`${name} is "${text}"; it must be a whole number from ${min} to ${max}`)
}

export function positiveOf(settings: Settings, name: string, absent: number, max: number): number {
  return wholeNumberOf(settings, name, absent, max, 1)
}

/** A setting in mebibytes, as bytes. */
export function bytesOf(settings: Settings, name: string, absent: number, max: number): number {
  return positiveOf(settings, name, absent, max) * 1024 ** 2
}

export function choiceOf(
  settings: Settings,
  name: string,
  choices: string[],
  absent: string,
): string {
  const text = settings[name]
  if (text === undefined || text === '') return absent
  if (choices.includes(text)) return text
  throw new ConfigError(`${name} is "${text}"; it must be one of ${choices.join(', ')}`)
}

export function urlOf(settings: Settings, name: string): string | undefined {
  const text = settings[name]
  if (!text) return undefined
  if (/^https?:$/.test(parsed(text)?.protocol ?? '')) return text.replace(/\/+$/, '')
  throw new ConfigError(`${name} is "${text}"; it must be an address such as https://gems.example`)
}

export function hostsOf(settings: Settings, name: string): string[] {
  const hosts = (settings[name] ?? '').split(/[\s,]+/).filter((host) => host !== '')
  for (const host of hosts) {
    if (/^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.test(host)) continue
    throw new ConfigError(`${name} has "${host}"; use hosts such as hooks.lan or 10.0.0.7:8080`)
  }
  return hosts.map((host) => host.toLowerCase())
}

/** A star stands for any number of labels at the beginning, or for every public host. */
export function mediaHostsOf(settings: Settings, name: string): string[] {
  const hosts = (settings[name] ?? '').split(/[\s,]+/).filter((host) => host !== '')
  for (const host of hosts) {
    if (/^(\*|(\*\.)?[a-z0-9][a-z0-9.-]*)$/i.test(host)) continue
    throw new ConfigError(
      `${name} has "${host}"; use hosts such as media.example or *.media.example`,
    )
  }
  return hosts.map((host) => host.toLowerCase())
}

export function databaseOf(settings: Settings, name: string): string | undefined {
  const text = settings[name]
  if (!text) return undefined
  if (/^postgres(ql)?:$/.test(parsed(text)?.protocol ?? '')) return text
  // The value contains a password, so the message leaves it out.
  throw new ConfigError(`${name} must be an address such as postgres://user@host:5432/pavilion`)
}

/** Settings that say more about the database of another one, and say nothing without it. */
const NEEDED_DATABASES = [
  ['REPLICA_DATABASE_URL', 'DATABASE_URL'],
  ['DATABASE_DIRECT_URL', 'DATABASE_URL'],
  ['SANDBOX_DATABASE_URL', 'DATABASE_URL'],
  ['SANDBOX_REPLICA_DATABASE_URL', 'SANDBOX_DATABASE_URL'],
  ['SANDBOX_DATABASE_DIRECT_URL', 'SANDBOX_DATABASE_URL'],
] as const

export function refuseWrongDatabases(settings: Settings): void {
  for (const [name, needed] of NEEDED_DATABASES) {
    if (!settings[name] || settings[needed]) continue
    throw new ConfigError(`${name} is set without ${needed}, which it needs`)
  }
  const { DATABASE_URL } = settings
  if (DATABASE_URL && DATABASE_URL === settings.SANDBOX_DATABASE_URL) {
    const hint = 'the sandbox needs a database of its own'
    throw new ConfigError(`DATABASE_URL and SANDBOX_DATABASE_URL are the same; ${hint}`)
  }
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}
