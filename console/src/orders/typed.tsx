import { withElements } from '../language/language.ts'

/** What somebody typed, in whatever language. */
export function Typed({ text }: { text: string }) {
  return <span lang="">{text}</span>
}

export function ReasonText({ reason }: { reason: string }) {
  return <>{withElements('Reason: {reason}', { reason: <Typed text={reason} /> })}</>
}
