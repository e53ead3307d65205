import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import { type JewelryReport, sendJewelry } from '../../api/imports.ts'
import { t } from '../../language/language.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { showToast } from '../../parts/toast.tsx'
import type { Mapping } from '../column-table.tsx'
import { DropZone, type Progress, ProgressBar } from '../drop-zone.tsx'
import { OptionsForm } from '../options/form.tsx'
import { type ImportOptions, jewelryQuery, NEW_IMPORT, withSaved } from '../options/options.ts'
import { ImportRefusal } from '../refusal.tsx'
import { ReviewFoot } from '../review.tsx'
import { savedMapping } from '../saved-mapping.ts'
import { columnsOf, JewelryReportView } from './report.tsx'

/** Uploads a file of jewelry and watches: first a check, then the import itself. */
export function JewelryUpload({ onDone }: { onDone: () => void }) {
  const [file, setFile] = useState<File>()
  const [options, setOptions] = useState<ImportOptions>(NEW_IMPORT)
  const [mapping, setMapping] = useState<Mapping>({})
  const [report, setReport] = useState<JewelryReport>()
  const [checked, setChecked] = useState(options)
  const [progress, setProgress] = useState<Progress>()
  const action = useAction()
  const isCorrected = Object.keys(mapping).length > 0
  useUnsaved(report !== undefined || isCorrected)
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    setReport(undefined)
    setMapping({})
  }
  const send = (dry_run: boolean) =>
    action.run(async () => {
      if (!file) return
      const saved = isCorrected ? await savedMapping(options.supplier, 'jewelry_mapping') : {}
      const own = isCorrected ? withSaved(mapping, saved, report ? columnsOf(report) : []) : {}
      const label = dry_run ? t('Checking the file') : t('Importing')
      const result = await sendJewelry(file, jewelryQuery(file, options, own, dry_run), (share) =>
        setProgress({ label, share: share < 1 ? share : undefined }),
      ).finally(() => setProgress(undefined))
      if (dry_run) {
        setReport(result)
        setChecked(options)
        return
      }
      showToast(importedText(result))
      choose(undefined)
      onDone()
    })
  return (
    <section class="panel stack" aria-label={t('Import a file')}>
      <DropZone
        file={file}
        title={t('Drop a file of jewelry here, or choose one')}
        onFile={choose}
      />
      {file && (
        <OptionsForm
          kind="jewelry"
          options={options}
          busy={action.busy}
          problem={action.problem?.code}
          submitLabel={report ? t('Check again') : t('Check file')}
          onChange={setOptions}
          onSubmit={() => void send(true)}
        />
      )}
      {progress && <ProgressBar progress={progress} />}
      <ImportRefusal problem={action.problem} />
      {report && (
        <div class="stack">
          <JewelryReportView report={report} mapping={mapping} onMapping={setMapping} />
          <ReviewFoot
            busy={action.busy}
            isCorrected={isCorrected}
            isStale={JSON.stringify(checked) !== JSON.stringify(options)}
            onRecheck={() => void send(true)}
            onImport={() => void send(false)}
          />
        </div>
      )}
    </section>
  )
}

function importedText({ added, changed, removed }: JewelryReport): string {
  return t('{added} new, {changed} changed, {removed} removed.', { added, changed, removed })
}
