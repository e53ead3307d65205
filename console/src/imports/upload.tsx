import { useState } from 'preact/hooks'
import { type ApiProblem, asProblem } from '../api/client.ts'
import { useAction } from '../api/hooks.ts'
import {
  explainImport,
  type ImportColumn,
  type ImportQuery,
  type ImportReport,
  importSide,
} from '../api/imports.ts'
import { t } from '../language/language.ts'
import { saveFile } from '../lib/download.ts'
import { useUnsaved } from '../lib/unsaved.ts'
import { showToast } from '../parts/toast.tsx'
import { ColumnTable, type Mapping } from './column-table.tsx'
import { DropZone, type Progress, ProgressBar } from './drop-zone.tsx'
import { explainedColumns } from './explained-columns.ts'
import { type Sample, sampleOf } from './file-sample.ts'
import { OptionsForm } from './options/form.tsx'
import { type ImportOptions, importQuery, NEW_IMPORT, withSaved } from './options/options.ts'
import { ImportRefusal } from './refusal.tsx'
import { ReviewFoot } from './review.tsx'
import { savedMapping } from './saved-mapping.ts'
import { sendWatched } from './send-watched.ts'
import { ImportReview } from './stone-review.tsx'

/** A file on its way: first a check that changes nothing, then the import itself. */
function useUpload(onDone: () => void) {
  const [file, setFile] = useState<File>()
  const [sample, setSample] = useState<Sample>()
  const [options, setOptions] = useState<ImportOptions>(NEW_IMPORT)
  const [mapping, setMapping] = useState<Mapping>({})
  const [report, setReport] = useState<ImportReport>()
  const [checked, setChecked] = useState(options)
  const [refused, setRefused] = useState<ImportColumn[]>()
  const [progress, setProgress] = useState<Progress>()
  const action = useAction()
  useUnsaved(report !== undefined || Object.keys(mapping).length > 0)

  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    setReport(undefined)
    setRefused(undefined)
    setMapping({})
  }
  const queryFor = async (chosen: File, dry_run: boolean) => {
    const isCorrected = Object.keys(mapping).length > 0
    const saved = isCorrected ? await savedMapping(options.supplier, 'mapping') : {}
    const own = isCorrected ? withSaved(mapping, saved, report?.columns ?? refused ?? []) : {}
    return importQuery(chosen, options, own, dry_run)
  }
  const send = (dry_run: boolean) =>
    action.run(async () => {
      if (!file) return
      const query = await queryFor(file, dry_run)
      const result = await sendWatched(file, query, setProgress)
        .finally(() => setProgress(undefined))
        .catch(async (error: unknown) => {
          setRefused(await columnsOfRefused(file, query, asProblem(error)))
          throw error
        })
      if (dry_run) {
        setReport(result)
        setChecked(options)
        setRefused(undefined)
        return
      }
      const { added, changed, removed } = result
      showToast(
        t('{added} new, {changed} changed, {removed} removed.', { added, changed, removed }),
      )
      choose(undefined)
      onDone()
    })
  const saveMapping = () =>
    action.run(async () => {
      if (!file) return
      const explained = await explainImport(file, await queryFor(file, true))
      const text = JSON.stringify(explained, null, 2)
      saveFile(new Blob([text], { type: 'application/json' }), `${file.name}.mapping.json`)
    })

  return {
    ...{ file, sample, options, mapping, report, refused, progress, action },
    ...{ setOptions, setMapping },
    isStale: JSON.stringify(checked) !== JSON.stringify(options),
    choose: (chosen: File) => {
      choose(chosen)
      sampleOf(chosen).then(setSample, () => setSample(undefined))
    },
    send: (dry_run: boolean) => void send(dry_run),
    saveMapping: () => void saveMapping(),
  }
}

/**
 * The columns of a file that was refused because one of them was not recognized, so that they can
 * be corrected; undefined where that is not the reason, and for a supplier, who corrects the file.
 */
async function columnsOfRefused(file: File, query: ImportQuery, { code }: ApiProblem) {
  if (code !== 'invalid_request' || importSide() !== 'operator') return undefined
  const explained = await explainImport(file, query).catch(() => undefined)
  return explained && explainedColumns(explained)
}

/** Uploads a supplier's file, and shows what importing it would change. */
export function ImportUpload({ onDone }: { onDone: () => void }) {
  const upload = useUpload(onDone)
  const { file, options, mapping, report, refused, progress, action, setMapping } = upload
  return (
    <section class="panel stack" aria-label={t('Import a file')}>
      <DropZone
        file={file}
        title={t('Drop a file of stones here, or choose one')}
        onFile={upload.choose}
      />
      {file && (
        <OptionsForm
          kind="stones"
          options={options}
          busy={action.busy}
          problem={action.problem?.code}
          submitLabel={report ? t('Check again') : t('Check file')}
          onChange={upload.setOptions}
          onSubmit={() => upload.send(true)}
        />
      )}
      {progress && <ProgressBar progress={progress} />}
      <ImportRefusal problem={action.problem} />
      {refused && !report && (
        <>
          <p class="note is-warn">
            {t('Choose the field of each column that is missing, then check the file again.')}
          </p>
          <ColumnTable columns={refused} isJudged={false} {...{ mapping }} onMapping={setMapping} />
        </>
      )}
      {report && (
        <ImportReview {...{ report, mapping }} sample={upload.sample} onMapping={setMapping}>
          <ReviewFoot
            busy={action.busy}
            isCorrected={Object.keys(mapping).length > 0}
            isStale={upload.isStale}
            onRecheck={() => upload.send(true)}
            onImport={() => upload.send(false)}
          >
            {importSide() === 'operator' && (
              <button
                type="button"
                class="button"
                disabled={action.busy}
                onClick={upload.saveMapping}
              >
                {t('Save the mapping as a file')}
              </button>
            )}
          </ReviewFoot>
        </ImportReview>
      )}
    </section>
  )
}
