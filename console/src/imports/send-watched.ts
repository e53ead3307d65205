import { type ImportQuery, type ImportReport, listImports, sendImport } from '../api/imports.ts'
import { t } from '../language/language.ts'
import { humanize, plural } from '../lib/format.ts'
import type { Progress } from './drop-zone.tsx'

/** Sends the file; the progress is that of the upload, then that of the import. */
export async function sendWatched(
  file: File,
  query: ImportQuery,
  onProgress: (progress: Progress) => void,
): Promise<ImportReport> {
  const label = query.dry_run ? t('Checking the file') : t('Importing')
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
        if (running) onStatus(`${humanize(running.status)}, ${plural(running.rows, 'row')}`)
      },
      () => {},
    )
  }, WATCH_MS)
  return { stop: () => clearInterval(timer) }
}
