/** Shows a past import again, and writes its rejected rows to a file. */
import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { type PastImport, readPastImport } from '../../feeds/importing/past-import.ts'
import { rejectedCsv } from '../../feeds/importing/rejected-rows.ts'
import { Refusal } from '../../lib/refusal.ts'
import { readUuid } from '../arguments.ts'
import { type CommonOptions, command, onMarket } from '../command.ts'
import { showImport } from './report.ts'

export const REJECTED = [
  '--rejected <file>',
  'Write the rejected rows as CSV with their reasons, to send back to the supplier',
] as const

export function showCommand(): Command {
  const example =
    'pavilion import show 0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90 --rejected rejected.csv'
  return command('show', 'Show the report of a past import', example)
    .argument('<uuid>', 'UUID of the import, as listed by "pavilion imports"', readUuid)
    .option(...REJECTED)
    .action((uuid: string, options: CommonOptions & { rejected?: string }) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const { past, rejections } = await readPastImport(db, uuid)
          await writeRejected(options.rejected, past.columns, rejections)
          return past
        },
        showPast,
      ),
    )
}

function showPast(past: PastImport): string {
  const state = past.failure ? `${past.status}: ${past.failure}` : past.status
  return `${showImport(past)}\nStatus: ${state}`
}

export function writeRejected(
  path: string | undefined,
  ...rows: Parameters<typeof rejectedCsv>
): Promise<void> {
  return writeCsv(path, () => rejectedCsv(...rows))
}

/** Writes rejected rows to a file, if one is named. */
export async function writeCsv(path: string | undefined, csv: () => string): Promise<void> {
  if (path === undefined) return
  try {
    await writeFile(path, csv())
  } catch (error) {
    const detail = `Cannot write the rejected rows: ${(error as Error).message}`
    throw new Refusal('invalid_request', detail)
  }
}
