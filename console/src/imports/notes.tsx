import type { ImportNotes } from '../api/imports.ts'
import { t } from '../language/language.ts'
import { fieldLabel } from '../lib/field-name.ts'
import { plural } from '../lib/format.ts'

/** What an import understood otherwise, or left out, although the stones are sold. */
export function ImportNoteList({ notes }: { notes: Partial<ImportNotes> }) {
  const { si3 = 0, estimated_sizes = 0, estimated_counts = 0, worst_clarities = 0 } = notes
  const { unreadable = [], other_labs = [], file = [] } = notes
  const lines = [
    ...(si3 > 0 ? [t('{stones} graded SI3', { stones: plural(si3, 'stone') })] : []),
    ...(estimated_sizes > 0
      ? [t('{parcels} whose size is estimated', { parcels: plural(estimated_sizes, 'parcel') })]
      : []),
    ...(estimated_counts > 0
      ? [
          t('{parcels} whose number of stones is estimated', {
            parcels: plural(estimated_counts, 'parcel'),
          }),
        ]
      : []),
    ...(worst_clarities > 0
      ? [
          t('{stones} with a range of clarities, sold as the worst of it', {
            stones: plural(worst_clarities, 'stone'),
          }),
        ]
      : []),
    ...unreadable.map(({ field, value, count }) => {
      const rows = plural(count, 'row')
      return t('{field}: “{value}” was left out ({rows})', {
        field: fieldLabel(field),
        value,
        rows,
      })
    }),
    ...other_labs.map(({ lab_original, count }) => {
      const stones = plural(count, 'stone')
      return t('Unknown laboratory: {lab} ({stones})', { lab: lab_original, stones })
    }),
  ]
  return <Notes lines={lines} sentences={file} />
}

/** Sentences are the server's own. */
export function Notes({ lines = [], sentences }: { lines?: string[]; sentences: string[] }) {
  if (lines.length + sentences.length === 0) return null
  return (
    <details open>
      <summary>{t('Notes')}</summary>
      <ul class="small">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
        {sentences.map((sentence) => (
          <li key={sentence} lang="en">
            {sentence}
          </li>
        ))}
      </ul>
    </details>
  )
}
