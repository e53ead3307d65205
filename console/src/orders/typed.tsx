import { t, withElements } from '../language/language.ts'

/** What somebody typed, in whatever language. */
export function Typed({ text }: { text: string }) {
  return <span lang="">{text}</span>
}

export function ReasonText({ reason }: { reason: string }) {
  return <>{withElements('Reason: {reason}', { reason: <Typed text={reason} /> })}</>
}

/** Who made something: people name themselves and their keys, and the server names sessions. */
export function Maker({ name }: { name: string }) {
  return name === 'console session' ? <span>{t('console session')}</span> : <Typed text={name} />
}
