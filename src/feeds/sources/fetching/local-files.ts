/** Files of this machine, which only the command line can make a source. */
import { createReadStream } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { FetchError } from './fetch-error.ts'
import { LISTED_MAX, type RemoteFile, type RemoteFiles, tooManyFiles } from './remote-files.ts'

export function openLocalFiles(signal: AbortSignal): RemoteFiles {
  return {
    stat: statLocal,
    async list(folder) {
      const files: RemoteFile[] = []
      for await (const { name } of await opendir(folder).catch(refuseUnreadable)) {
        if (files.length === LISTED_MAX) throw tooManyFiles(folder)
        // A file may be gone by now.
        const file = await statLocal(join(folder, name))
        if (file) files.push(file)
      }
      return files
    },
    read: (path, sink) =>
      pipeline(createReadStream(path), sink, { signal }).catch(refuseUnreadable),
    close() {},
  }
}

async function statLocal(path: string): Promise<RemoteFile | undefined> {
  try {
    const found = await stat(path)
    if (!found.isFile() && !found.isDirectory()) {
      throw new FetchError('file_not_found', `${path} is neither a file nor a folder.`)
    }
    const modifiedMs = Math.round(found.mtimeMs)
    return { path, isFolder: found.isDirectory(), size: found.size, modifiedMs }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    return refuseUnreadable(error)
  }
}

function refuseUnreadable(error: unknown): never {
  if (error instanceof FetchError) throw error
  const { code, path } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') {
    const detail = `The account of the server may not read ${path}.`
    throw new FetchError('sign_in_refused', detail, error)
  }
  if (code === 'ENOENT') throw new FetchError('file_not_found', `There is no ${path}.`, error)
  throw error
}
