import type { Db } from '../../database/open.ts'
import type { Secrets } from '../../database/secrets/secrets.ts'
import { createPoller } from '../../events/poller.ts'
import {
  claimMails,
  type DueMail,
  expireMails,
  findNextMailMs,
  openMail,
  recordFailure,
  recordSent,
  renewLease,
} from './mail-store.ts'
import { type AttemptResult, type MailSettings, openTransport } from './smtp.ts'

export type MailOutcome = 'sent' | 'retried' | 'failed'

interface SenderHooks {
  onError: (error: unknown) => void
  /** Called after each attempt that was recorded. */
  onAttempt?: (outcome: MailOutcome) => void
  /** The server accepts no mail at all; called at every attempt. */
  onAway?: (error: string) => void
}

interface MailSender {
  /** Looks for mails that are due. Called for every notification of `MAIL_CHANNEL`. */
  wake: () => void
  /** Waits a while for attempts that are running, and starts no more. */
  stop: () => Promise<void>
}

/** Attempts at a time; a mail server limits the connections of a sender. */
const RUNNING_MAX = 4
/** A crashed node's mails are due again after it. */
const LEASE_MS = 120_000
const RENEW_MS = 30_000
/** A notification can be lost with its connection, so the database is polled this often. */
const POLL_MS = 30_000
const POLL_MS_MIN = 20
/** How long a stop waits for the server's reply; what is cut off is sent again by another node. */
const STOP_MS = 10_000

/** A server that is away is tried this often, however many mails wait. */
const AWAY_MS_MIN = 2_000
const AWAY_MS_MAX = 30_000

/** Sends what is due until it is stopped. */
export function startMailSender(
  db: Db,
  secrets: Secrets,
  settings: MailSettings,
  hooks: SenderHooks,
): MailSender {
  const { onError } = hooks
  const transport = openTransport(settings)
  const running = new Set<Promise<void>>()
  const away = createAwayTime(settings.firstWaitMs)
  const record = createRecorder(db, away, settings, hooks)
  let stopped = false
  const { wake, stop } = createPoller(startDue, { afterErrorMs: POLL_MS, onError })

  /** Starts what is due, and returns how many milliseconds to wait for the next. */
  async function startDue(): Promise<number> {
    await expireMails(db)
    while (!stopped && away.leftMs() === 0 && running.size < RUNNING_MAX) {
      const limit = RUNNING_MAX - running.size
      const due = await claimMails(db, { limit, leaseMs: LEASE_MS })
      if (due.length === 0) break
      for (const mail of due) start(mail)
    }
    // The end of an attempt wakes it.
    if (running.size === RUNNING_MAX) return POLL_MS
    const nextMs = Math.max((await findNextMailMs(db)) ?? POLL_MS, away.leftMs())
    return Math.min(Math.max(nextMs, POLL_MS_MIN), POLL_MS)
  }

  function start(mail: DueMail): void {
    const attempt = send(mail)
      .catch(onError)
      .then(() => {
        running.delete(attempt)
        wake()
      })
    running.add(attempt)
  }

  async function send(mail: DueMail): Promise<void> {
    // Without its key nothing is sent, and the mail is due again for a node that has the key.
    const message = await openMail(mail, secrets)
    const renewal = setInterval(() => {
      void renewLease(db, mail.uuid, LEASE_MS).catch(onError)
    }, RENEW_MS).unref()
    const startMs = performance.now()
    const result = await transport.send(message).finally(() => clearInterval(renewal))
    await record(mail, result, mail.elapsed_ms + performance.now() - startMs)
  }

  wake()
  return {
    wake,
    async stop() {
      stopped = true
      await stop()
      await Promise.race([Promise.all(running), after(STOP_MS)])
      transport.close()
    },
  }
}

/** Records what became of an attempt, and whether the server is away. */
function createRecorder(
  db: Db,
  away: ReturnType<typeof createAwayTime>,
  { firstWaitMs }: MailSettings,
  { onAttempt, onAway }: SenderHooks,
) {
  /** Undefined: the mail is given up. */
  function waitAfter(
    { outcome, error }: Exclude<AttemptResult, { outcome: 'sent' }>,
    elapsedMs: number,
  ): number | undefined {
    if (outcome !== 'away') away.end()
    if (outcome === 'refused' || elapsedMs >= GIVE_UP_MS) return undefined
    if (outcome === 'later') return nextMailWaitMs(elapsedMs, Math.random(), firstWaitMs)
    onAway?.(error)
    return away.begin()
  }

  return async (mail: DueMail, result: AttemptResult, elapsedMs: number): Promise<void> => {
    if (result.outcome === 'sent') {
      away.end()
      await recordSent(db, mail.uuid)
      onAttempt?.('sent')
      return
    }
    const waitMs = waitAfter(result, elapsedMs)
    await recordFailure(db, mail.uuid, result, waitMs)
    onAttempt?.(waitMs === undefined ? 'failed' : 'retried')
  }
}

function after(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms).unref()
  })
}

/** Waits that grow while a server is away, for all mails together. */
function createAwayTime(firstWaitMs = AWAY_MS_MIN) {
  let waitMs = 0
  let untilMs = 0
  const leftMs = () => Math.max(0, untilMs - performance.now())
  return {
    leftMs,
    /** Attempts that were running together fail together, and count once. */
    begin(): number {
      if (leftMs() > 0) return leftMs()
      waitMs = waitMs === 0 ? firstWaitMs : Math.min(waitMs * 2, AWAY_MS_MAX)
      untilMs = performance.now() + waitMs
      return waitMs
    },
    end(): void {
      waitMs = 0
      untilMs = 0
    },
  }
}

const WAIT_MS_MIN = 10_000
const WAIT_MS_MAX = 3_600_000
/** As RFC 5321 advises, at least four to five days are tried. */
const GIVE_UP_MS = 5 * 24 * 3_600_000

/**
 * How long a mail waits that the server did not accept yet, `elapsedMs` after the first attempt: as
 * long as all earlier waits together, at most an hour. `chance` (0 to 1) spreads the attempts.
 */
function nextMailWaitMs(elapsedMs: number, chance: number, firstWaitMs = WAIT_MS_MIN): number {
  const waitMs = Math.min(Math.max(elapsedMs, firstWaitMs), WAIT_MS_MAX)
  return Math.round(waitMs * (0.9 + 0.2 * chance))
}
