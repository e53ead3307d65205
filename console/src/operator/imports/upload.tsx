import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import {
  type ImportQuery,
  type ImportReport,
  listImports,
  listSuppliers,
  sendImport,
} from '../../api/imports.ts'
import { percent } from '../../lib/format.ts'
import { ProblemNote } from '../../parts/feedback.tsx'
import { SelectField, TextField } from '../../parts/fields.tsx'
import { showToast } from '../../parts/toast.tsx'
import { type Sample, sampleOf } from './file-sample.ts'
import { ImportReview } from './review.tsx'

interface Progress {
  words: string
  /** Undefined while nobody can know how much is left. */
  share: number | undefined
}

/** A file is dropped, looked through without changing anything, and then let in. */
export function FileDrop({ onDone }: { onDone: () => void }) {
  const suppliers = useRead('suppliers', (signal) => listSuppliers(signal))
  const [file, setFile] = useState<File>()
  const [sample, setSample] = useState<Sample>()
  const [supplier, setSupplier] = useState('')
  const [mode, setMode] = useState<ImportQuery['mode']>('update')
  const [maxRemoved, setMaxRemoved] = useState('40')
  const [mapping, setMapping] = useState<Record<string, string | null>>({})
  const [report, setReport] = useState<ImportReport>()
  const [progress, setProgress] = useState<Progress>()
  const action = useAction()

  const send = (dry_run: boolean) =>
    action.run(async () => {
      if (!file) return
      const words = dry_run ? 'Looking through the file' : 'Bringing the stones in'
      setProgress({ words, share: 0 })
      const watch = watchImport(supplier, (rows) =>
        setProgress({ words: `${words}: ${rows}`, share: undefined }),
      )
      try {
        const query = importQuery(file, { supplier, mode, maxRemoved, mapping, dry_run })
        const answer = await sendImport(file, query, (share) =>
          setProgress({ words, share: share < 1 ? share : undefined }),
        )
        if (dry_run) setReport(answer)
        else {
          showToast(`${answer.added} new, ${answer.changed} changed, ${answer.removed} gone.`)
          setFile(undefined)
          setReport(undefined)
          setMapping({})
          onDone()
        }
      } finally {
        watch.stop()
        setProgress(undefined)
      }
    })
  const take = (chosen: File | undefined) => {
    if (!chosen) return
    setFile(chosen)
    setReport(undefined)
    setMapping({})
    sampleOf(chosen).then(setSample, () => setSample(undefined))
  }

  return (
    <section class="panel stack" aria-label="Bring a file in">
      <DropZone file={file} onFile={take} />
      {file && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault()
            void send(true)
          }}
        >
          <label class="field">
            <span>Supplier; a new name makes a new one</span>
            <input
              class="input"
              list="suppliers"
              required
              value={supplier}
              onInput={(event) => setSupplier(event.currentTarget.value)}
            />
            <datalist id="suppliers">
              {suppliers.value?.suppliers.map(({ name }) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </label>
          <SelectField
            label="Mode"
            value={mode}
            options={[
              ['update', 'Update: add and change'],
              ['replace', 'Replace: what is missing is gone'],
            ]}
            onChange={setMode}
          />
          {mode === 'replace' && (
            <TextField
              label="Brake: refuse if more than % go"
              type="number"
              min="0"
              max="100"
              value={maxRemoved}
              onInput={setMaxRemoved}
            />
          )}
          <button type="submit" class="button is-main" disabled={action.busy || supplier === ''}>
            {report ? 'Look again' : 'Look through it'}
          </button>
        </form>
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
          onCommit={() => void send(false)}
        />
      )}
    </section>
  )
}

function importQuery(
  file: File,
  choice: {
    supplier: string
    mode: ImportQuery['mode']
    maxRemoved: string
    mapping: Record<string, string | null>
    dry_run: boolean
  },
): ImportQuery {
  const { supplier, mode, dry_run } = choice
  const max_removed = Number(choice.maxRemoved) || 0
  const own = Object.keys(choice.mapping).length > 0
  return {
    supplier,
    mode,
    dry_run,
    max_removed,
    file_name: file.name,
    ...(own && { mapping: JSON.stringify(choice.mapping) }),
  }
}

const WATCH_MS = 1_500

/** Asks how far the import has come, while its answer is still on the way. */
function watchImport(supplier: string, onRows: (words: string) => void) {
  const timer = setInterval(() => {
    listImports({ limit: 5, offset: 0 }).then(
      ({ imports }) => {
        const running = imports.find(
          (each) => each.supplier === supplier && /^(reading|applying)$/.test(each.status),
        )
        if (running) onRows(`${running.status}, ${running.rows} rows`)
      },
      () => {},
    )
  }, WATCH_MS)
  return { stop: () => clearInterval(timer) }
}

function ProgressBar({ progress }: { progress: Progress }) {
  const { words, share } = progress
  return (
    <div class="stack" role="status">
      <p>
        {words} {share === undefined ? '…' : percent(share * 100, 0)}
      </p>
      <progress
        class="progress"
        aria-label={words}
        max={1}
        {...(share !== undefined && { value: share })}
      />
    </div>
  )
}

function DropZone({
  file,
  onFile,
}: {
  file: File | undefined
  onFile: (file: File | undefined) => void
}) {
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    <label
      class={isOver ? 'drop is-over' : 'drop'}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onFile(event.dataTransfer?.files[0])
      }}
    >
      <strong>{file ? file.name : "Drop a supplier's file here, or choose one"}</strong>
      <span class="small">CSV, TSV, JSON, NDJSON or XLSX, gzipped or not, of any size</span>
      <input
        type="file"
        aria-label="Choose a file"
        onChange={(event) => onFile(event.currentTarget.files?.[0])}
      />
    </label>
  )
}
