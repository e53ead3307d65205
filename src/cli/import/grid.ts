/** Sheets of reference prices, for stones whose feeds carry no list price. */
import { basename } from 'node:path'
import type { Command } from 'commander'
import type { Database } from '../../database/open.ts'
import { listGrids, renderGrid } from '../../feeds/grids/grid-store.ts'
import { loadGrid } from '../../feeds/grids/load-grid.ts'
import { type CommonOptions, command, commandGroup, onMarket } from '../command.ts'
import { startProgressBar } from '../output/progress-bar.ts'
import { tableOf } from '../output/table.ts'
import { openInputFile } from './input-file.ts'

export function gridCommand(): Command {
  return commandGroup('grid', 'Load and list sheets of reference prices', [
    loadCommand(),
    listCommand(),
  ])
}

function loadCommand(): Command {
  const description = 'Load a sheet of reference prices, and give stones their list prices'
  return command('load', description, 'pavilion grid load round.csv')
    .argument('<file>', 'CSV without a header: shape, clarity, color, from, to, price, date')
    .action((path: string, options: CommonOptions) =>
      onMarket(options, ({ database }) => loadFile(database, path), showLoaded),
    )
}

async function loadFile(database: Database, path: string) {
  const { bytes } = await openInputFile(path)
  const bar = startProgressBar('stones')
  try {
    const fileName = path === '-' ? '' : basename(path)
    const loaded = await loadGrid(database, { bytes, fileName, onProgress: bar.show })
    return { ...loaded, price_grids: loaded.price_grids.map(renderGrid) }
  } finally {
    bar.end()
  }
}

function showLoaded({ price_grids, changed }: Awaited<ReturnType<typeof loadFile>>): string {
  const sheets = price_grids.map(({ shape, dated_on, rows, in_force }) => {
    const state = in_force ? '' : '; a newer one stays in force'
    const prices = rows === 1 ? '1 price' : `${rows.toLocaleString('en')} prices`
    return `Loaded the ${shape} sheet of ${dated_on} with ${prices}${state}.`
  })
  const stones = changed === 1 ? '1 stone has' : `${changed.toLocaleString('en')} stones have`
  return [...sheets, `${stones} another list price.`].join('\n')
}

function listCommand(): Command {
  return command('list', 'List the sheets, newest first', 'pavilion grid list').action(
    (options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => (await listGrids(db)).map(renderGrid),
        (grids) =>
          tableOf(
            grids,
            {
              shape: 'Shape',
              dated_on: 'Date',
              rows: 'Prices',
              in_force: 'In force',
              file_name: 'File',
              loaded_on: 'Loaded on',
            },
            'No price sheets yet. Load one with "pavilion grid load FILE".',
          ),
      ),
  )
}
