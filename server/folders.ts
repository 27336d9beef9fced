import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents. Does not use Node's `recursive` option, which hangs if a file system such as /proc
 * refuses with ENOENT.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  if (dirname(path) !== path && !isFolder(dirname(path))) makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (!isFolder(path)) throw error
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
