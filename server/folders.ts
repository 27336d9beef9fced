import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Makes a folder and those above it. Node's own way never returns where a file system refuses with "not there" (/proc). */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  if (dirname(path) !== path && !isFolder(dirname(path))) makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (!isFolder(path)) throw error
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
