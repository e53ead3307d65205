import { useState } from 'preact/hooks'
import { importSide } from '../../api/imports.ts'
import { t } from '../../language/language.ts'
import { plural } from '../../lib/format.ts'
import { TextField } from '../../parts/fields.tsx'
import type { FormProps } from './options.ts'

/** What few files need: another currency, one sheet of a workbook, a mapping from a file. */
export function MoreOptions({ kind, options, onChange }: FormProps) {
  const [isBad, setBad] = useState(false)
  const read = async (file: File | undefined) => {
    const mapping = file ? objectIn(await file.text()) : {}
    setBad(mapping === undefined)
    onChange({ ...options, mapping: mapping ?? {} })
  }
  const columns = Object.keys(options.mapping).filter((key) => key !== '//').length
  return (
    <details>
      <summary>{t('More options')}</summary>
      <div class="stack">
        <TextField
          label={t('Currency of the file (empty: that of the supplier)')}
          placeholder="USD"
          value={options.currency}
          onInput={(currency) => onChange({ ...options, currency })}
        />
        {kind === 'stones' && (
          <TextField
            label={t('Sheet of the workbook (empty: all)')}
            value={options.sheet}
            onInput={(sheet) => onChange({ ...options, sheet })}
          />
        )}
        {importSide() === 'operator' && (
          <label class="field">
            <span>{t('Mapping from a file (JSON)')}</span>
            <input
              class="input"
              type="file"
              accept=".json,application/json"
              onChange={(event) => void read(event.currentTarget.files?.[0])}
            />
          </label>
        )}
        {isBad && <p class="field-error">{t('The file is not a JSON object.')}</p>}
        {columns > 0 && (
          <p class="muted small">
            {t('The mapping names {columns}.', { columns: plural(columns, 'column') })}
          </p>
        )}
      </div>
    </details>
  )
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
