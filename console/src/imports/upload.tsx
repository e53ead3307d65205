import { useState } from 'preact/hooks'
import { useAction } from '../api/hooks.ts'
import {
  type ImportQuery,
  type ImportReport,
  importSide,
  listImports,
  listSuppliers,
  sendImport,
} from '../api/imports.ts'
import { count, percent } from '../lib/format.ts'
import { useUnsaved } from '../lib/unsaved.ts'
import { ProblemNote } from '../parts/feedback.tsx'
import { showToast } from '../parts/toast.tsx'
import type { Mapping } from './column-table.tsx'
import { type Sample, sampleOf } from './file-sample.ts'
import {
  type ImportOptions,
  importQuery,
  NEW_IMPORT,
  OptionsForm,
  withSaved,
} from './options-form.tsx'
import { ImportReview } from './review.tsx'

interface Progress {
  label: string
  /** Undefined while it is unknown how much is left. */
  share: number | undefined
}

/** Uploads a supplier's file: first a check that changes nothing, then the import itself. */
export function ImportUpload({ onDone }: { onDone: () => void }) {
  const [file, setFile] = useState<File>()
  const [sample, setSample] = useState<Sample>()
  const [options, setOptions] = useState<ImportOptions>(NEW_IMPORT)
  const [mapping, setMapping] = useState<Mapping>({})
  const [report, setReport] = useState<ImportReport>()
  const [progress, setProgress] = useState<Progress>()
  const action = useAction()
  useUnsaved(report !== undefined || Object.keys(mapping).length > 0)

  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    setReport(undefined)
    setMapping({})
  }
  const send = (dry_run: boolean) =>
    action.run(async () => {
      if (!file) return
      const isCorrected = Object.keys(mapping).length > 0
      const saved = isCorrected ? await savedMapping(options.supplier) : {}
      const own = isCorrected ? withSaved(mapping, saved, report?.columns ?? []) : {}
      const result = await upload(
        file,
        importQuery(file, options, own, dry_run),
        setProgress,
      ).finally(() => setProgress(undefined))
      if (dry_run) {
        setReport(result)
        return
      }
      showToast(`${result.added} new, ${result.changed} changed, ${result.removed} removed.`)
      choose(undefined)
      onDone()
    })

  return (
    <section class="panel stack" aria-label="Import a file">
      <DropZone
        file={file}
        onFile={(chosen) => {
          choose(chosen)
          sampleOf(chosen).then(setSample, () => setSample(undefined))
        }}
      />
      {file && (
        <OptionsForm
          options={options}
          busy={action.busy}
          problem={action.problem?.code}
          submitLabel={report ? 'Check again' : 'Check file'}
          onChange={setOptions}
          onSubmit={() => void send(true)}
        />
      )}
      {progress && <ProgressBar progress={progress} />}
      <ProblemNote problem={action.problem} />
      {report && (
        <ImportReview
          report={report}
          sample={sample}
          mapping={mapping}
          busy={action.busy}
          onMapping={setMapping}
          onRecheck={() => void send(true)}
          onImport={() => void send(false)}
        />
      )}
    </section>
  )
}

/** The mapping that is remembered for a supplier, which only the operator can read. */
async function savedMapping(supplier: string): Promise<Record<string, unknown>> {
  if (importSide() === 'supplier') return {}
  const { suppliers } = await listSuppliers()
  const wanted = supplier.trim().toLowerCase()
  return suppliers.find(({ name }) => name.toLowerCase() === wanted)?.mapping ?? {}
}

/** Sends the file; the progress is that of the upload, then that of the import. */
async function upload(
  file: File,
  query: ImportQuery,
  onProgress: (progress: Progress) => void,
): Promise<ImportReport> {
  const label = query.dry_run ? 'Checking the file' : 'Importing'
  onProgress({ label, share: 0 })
  const watch = watchImport(query.supplier, (status) =>
    onProgress({ label: `${label}: ${status}`, share: undefined }),
  )
  try {
    return await sendImport(file, query, (share) =>
      onProgress({ label, share: share < 1 ? share : undefined }),
    )
  } finally {
    watch.stop()
  }
}

const WATCH_MS = 1_500

/** Reports the progress of an import while its response is pending. */
function watchImport(supplier: string | undefined, onStatus: (status: string) => void) {
  const timer = setInterval(() => {
    listImports({ limit: 5, offset: 0 }).then(
      ({ imports }) => {
        const running = imports.find(
          (each) =>
            (supplier === undefined || each.supplier === supplier) &&
            /^(reading|applying)$/.test(each.status),
        )
        if (running) onStatus(`${running.status}, ${count(running.rows)} rows`)
      },
      () => {},
    )
  }, WATCH_MS)
  return { stop: () => clearInterval(timer) }
}

function ProgressBar({ progress: { label, share } }: { progress: Progress }) {
  return (
    <div class="stack" role="status">
      <p>
        {label} {share === undefined ? '…' : percent(share * 100, 0)}
      </p>
      <progress
        class="progress"
        aria-label={label}
        max={1}
        {...(share !== undefined && { value: share })}
      />
    </div>
  )
}

function DropZone({ file, onFile }: { file: File | undefined; onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false)
  const choose = (files: FileList | null | undefined) => {
    if (files?.[0]) onFile(files[0])
  }
  return (
    <label
      class={isOver ? 'drop is-over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        choose(event.dataTransfer?.files)
      }}
    >
      <strong>{file ? file.name : 'Drop a file of stones here, or choose one'}</strong>
      <span class="small">CSV, XLSX, XLS, JSON, XML, HTML or ZIP, of any size</span>
      <input
        type="file"
        aria-label="Choose a file"
        onChange={(event) => choose(event.currentTarget.files)}
      />
    </label>
  )
}
