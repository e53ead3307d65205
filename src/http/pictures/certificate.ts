import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'

type Value = string | number | null

/** Returns the rows of a demo certificate; undefined when no demo stone has the number. */
export async function findCertificateRows(
  db: Db,
  certNum: string,
): Promise<[string, string][] | undefined> {
  const stone = await db
    .selectFrom('gem')
    .select([
      'type',
      'species',
      'shape',
      'weight',
      'length',
      'width',
      'depth',
      'color',
      'clarity',
      'cut_grade',
      'polish_grade',
      'symmetry_grade',
      'fluorescence',
      'depth_percentage',
      'table_percentage',
    ])
    .where('cert_num', '=', certNum)
    // The index has the number and the laboratory, in this form; `0` is the sign after `/`.
    .where(sql<boolean>`certificate >= letters_and_digits(${certNum}) || '/'
      and certificate < letters_and_digits(${certNum}) || '0'`)
    // Only stones of the demo market: real certificates are served by their laboratory.
    .where('cert_url', 'like', `%/media/demo/certificates/${certNum}.svg`)
    .limit(1)
    .executeTakeFirst()
  if (!stone) return undefined
  const rows: [string, Value][] = [
    ['Stone', `${stone.species ?? 'diamond'}, ${stone.type}`],
    ['Shape', stone.shape.replaceAll('_', ' ')],
    ['Weight', `${Number(stone.weight)} ct`],
    ['Measurements', millimetres([stone.length, stone.width, stone.depth])],
    ['Color', stone.color],
    ['Clarity', stone.clarity],
    ['Cut', stone.cut_grade],
    ['Polish', stone.polish_grade],
    ['Symmetry', stone.symmetry_grade],
    ['Fluorescence', stone.fluorescence],
    ['Depth', percent(stone.depth_percentage)],
    ['Table', percent(stone.table_percentage)],
  ]
  return rows.filter((row): row is [string, string] => row[1] !== null)
}

function millimetres(sizes: Value[]): string | null {
  return sizes.includes(null) ? null : `${sizes.map(Number).join(' x ')} mm`
}

function percent(value: Value): string | null {
  return value === null ? null : `${Number(value)} %`
}
