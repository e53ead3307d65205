import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathsBelow } from './sources.ts'

const NAMED = /`([\w./-]+\.(?:tsx?|js|sql|md))`|\]\(([\w./-]+)(?:#[\w-]*)?\)/g
const FOLDERS = ['src', 'test', 'bench', 'console', 'client/src', 'bin', 'docs', 'migrations']

/**
 * Files that a document names and that do not exist, as `document: file`. A document names them by
 * the end of their path, as far as it needs: `gems/search/plan.ts` or, after it, `page.ts`.
 */
export function missingFiles(): string[] {
  const files = FOLDERS.flatMap(pathsBelow)
  const exists = (name: string, document: string) =>
    files.some((path) => path.endsWith(`/${name}`)) ||
    existsSync(name) ||
    existsSync(join(dirname(document), name))
  return [...files, 'README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md']
    .filter((path) => path.endsWith('.md'))
    .flatMap((document) =>
      [...readFileSync(document, 'utf8').matchAll(NAMED)]
        .map(([, code, link]) => code ?? link)
        .filter((name) => !exists(name, document))
        .map((name) => `${document}: ${name}`),
    )
}
