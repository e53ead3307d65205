/** Mapping files on the command line, of stones and of jewelry. */
import { readFile } from 'node:fs/promises'
import type { MappingFile } from '../../feeds/mapping/mapping-file.ts'
import { Refusal } from '../../lib/refusal.ts'

export const MAPPING = [
  '--mapping <file>',
  'JSON file that says what the columns are; saved for the supplier',
] as const

export const SHEET = [
  '--sheet <name>',
  'Only this sheet of a workbook (default: all that have stones)',
] as const

export const EXPLAIN = [
  '--explain',
  'Print the mapping that the import would use, to be changed; imports nothing',
] as const

/** Reads a mapping file as JSON; the import checks what it says. */
export async function readMapping(path: string | undefined): Promise<MappingFile | undefined> {
  if (path === undefined) return undefined
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'the file does not exist.' : message
    throw new Refusal('not_found', `Cannot read the mapping ${path}: ${reason}`)
  }
  try {
    return JSON.parse(text.replace(/^\ufeff/, '')) as MappingFile
  } catch (error) {
    const detail = `The mapping ${path} is not valid JSON: ${(error as Error).message}.`
    throw new Refusal('invalid_request', detail)
  }
}
