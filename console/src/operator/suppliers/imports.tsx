import { useRead } from '../../api/hooks.ts'
import { type ImportRecord, listImports } from '../../api/imports.ts'
import type { Supplier } from '../../api/operator/suppliers.ts'
import { ImportStatus } from '../../imports/report.tsx'
import { t } from '../../language/language.ts'
import { count, dateTime } from '../../lib/format.ts'
import { useOffset } from '../../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'

const LIMIT = 25

/** The files of one supplier that were imported, newest first. */
export function SupplierImports({ supplier: { name } }: { supplier: Supplier }) {
  const offset = useOffset()
  const query = { supplier: name, limit: LIMIT, offset }
  const reading = useRead(JSON.stringify(query), (signal) => listImports(query, signal))
  const { value } = reading
  return (
    <>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!value && !reading.problem && <Loading />}
      {value?.total === 0 && (
        <Empty title={t('No imports yet')}>
          <a class="button" href="/operator/imports">
            {t('Import a file')}
          </a>
        </Empty>
      )}
      {value && value.total > 0 && <ImportTable imports={value.imports} />}
      <Pager total={value?.total ?? 0} limit={LIMIT} offset={offset} />
    </>
  )
}

const COUNTS = [
  ['added', t('New')],
  ['changed', t('Changed')],
  ['removed', t('Removed')],
  ['rejected', t('Rejected')],
] as const

function ImportTable({ imports }: { imports: ImportRecord[] }) {
  return (
    <ScrollArea label={t('Imports')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('File')}</th>
            <th scope="col">{t('Started')}</th>
            <th scope="col">{t('Status')}</th>
            {COUNTS.map(([name, label]) => (
              <th key={name} scope="col" class="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {imports.map((record) => (
            <tr key={record.uuid}>
              <td>
                <a href={`/operator/imports/${record.uuid}`}>
                  {record.file_name || t('Unnamed file')}
                </a>
              </td>
              <td>{dateTime(record.started_on)}</td>
              <td>
                <ImportStatus status={record.status} />
              </td>
              {COUNTS.map(([name]) => (
                <td key={name} class="number">
                  {count(record[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
