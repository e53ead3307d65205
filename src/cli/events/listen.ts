/** Sends the events of one's own market to one's own machine, as webhooks would be sent. */
import { type Command, InvalidArgumentError } from 'commander'
import { readConfig } from '../../config.ts'
import { EVENT_TYPES, type EventType } from '../../events/events.ts'
import { newSecret } from '../../events/webhook.ts'
import { findNearestName } from '../../lib/nearest-name.ts'
import { Refusal } from '../../lib/refusal.ts'
import { readWholeNumber } from '../arguments.ts'
import { addressFor, type CommonOptions, command, runCommand } from '../command.ts'
import { stopSignal } from '../serve/stop-signal.ts'
import { type ForwardOptions, forwardEvents, type Report } from './forward-events.ts'

interface ListenOptions extends CommonOptions {
  forward: string
  key?: string
  url?: string
  secret?: string
  after?: number
  events?: EventType[]
}

export function listenCommand(): Command {
  const example = 'pavilion listen --forward http://localhost:3000/hook --key pav_test_…'
  return command('listen', 'Forward your events to this machine, signed as webhooks are', example)
    .requiredOption('--forward <address>', 'Address that receives the events', readAddress)
    .option('--key <key>', 'API key whose events to forward (default: PAVILION_KEY)')
    .option(
      '--url <address>',
      'Address of the market (default: PAVILION_URL, or the server that the settings describe)',
      readAddress,
    )
    .option('--events <type...>', 'Types of events to forward (default: all)', readTypes)
    .option(
      '--after <number>',
      'Begin after the event with this number (default: with what happens from now on)',
      readWholeNumber(0, Number.MAX_SAFE_INTEGER),
    )
    .option('--secret <whsec>', 'Secret to sign with (default: a new one)', readSecret)
    .action((options: ListenOptions) => runCommand(options, () => listen(options)))
}

async function listen(options: ListenOptions): Promise<void> {
  const config = readConfig()
  const key = options.key ?? config.calls.key
  if (!key) {
    throw new Refusal('unauthenticated', 'No key was given: use --key, or set PAVILION_KEY.')
  }
  const controller = new AbortController()
  const write = (text: string) => process.stdout.write(`${text}\n`)
  const given: Omit<ForwardOptions, 'report'> = {
    url: addressFor(key, options, config).replace(/\/+$/, ''),
    key,
    forward: options.forward,
    secret: options.secret ?? newSecret(),
    eventTypes: options.events,
    after: options.after,
    signal: controller.signal,
  }
  void stopSignal().then(() => controller.abort())
  const report = options.json ? reportInJson(given, write) : reportInText(given, write)
  const last = await forwardEvents({ ...given, report })
  write(options.json ? JSON.stringify({ after: last }) : `Stopped. Go on with --after ${last}`)
}

function reportInText(
  { url, forward, secret }: Omit<ForwardOptions, 'report'>,
  write: (text: string) => void,
): Report {
  return {
    started(after) {
      write(`Forwarding the events of ${url} to ${forward}, those after number ${after}.`)
      write(`Secret: ${secret}`)
      write('Ctrl-C ends it.')
    },
    forwarded({ event, status, attempts, durationMs }) {
      const tried = attempts > 1 ? `, attempt ${attempts}` : ''
      write(`${event.sequence}  ${event.event_type}  ${status}  (${durationMs} ms${tried})`)
    },
    numberedAgain,
    waiting: warn,
  }
}

/** One document for each line: the start, then each event. */
function reportInJson(
  { url, forward, secret }: Omit<ForwardOptions, 'report'>,
  write: (text: string) => void,
): Report {
  return {
    started: (after) => write(JSON.stringify({ url, forward, secret, after })),
    forwarded({ event, status, attempts, durationMs }) {
      const { sequence, uuid, event_type } = event
      const shown = { sequence, uuid, event_type, status, attempts, duration_ms: durationMs }
      write(JSON.stringify(shown))
    },
    numberedAgain,
    waiting: warn,
  }
}

function numberedAgain(): void {
  process.stderr.write('The sandbox was reset: its events are numbered from 1 again.\n')
}

function warn(reason: string, waitMs: number): void {
  process.stderr.write(`${reason} Trying again in ${Math.ceil(waitMs / 1000)} s.\n`)
}

/** `localhost:3000/hook` is meant as http. */
function readAddress(text: string): string {
  const address = text.includes('://') ? text : `http://${text}`
  if (/^https?:/.test(address) && URL.canParse(address)) return address
  throw new InvalidArgumentError('Expected an address such as http://localhost:3000/hook.')
}

/** Several types are several arguments, or joined by commas. */
function readTypes(text: string, earlier: EventType[] = []): EventType[] {
  const types = text.split(',').map((name) => {
    const found = EVENT_TYPES.find((type) => type === name)
    if (found) return found
    const nearest = findNearestName(name, EVENT_TYPES)
    const hint = nearest ? `did you mean ${nearest}?` : `known: ${EVENT_TYPES.join(', ')}`
    throw new InvalidArgumentError(`${name} is not a type of event; ${hint}`)
  })
  return [...earlier, ...types]
}

function readSecret(text: string): string {
  if (/^whsec_[A-Za-z0-9+/]{32,}=*$/.test(text)) return text
  throw new InvalidArgumentError('Expected a secret that an earlier run printed: whsec_….')
}
