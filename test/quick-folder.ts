import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folder for files that Linux keeps in memory. */
const IN_MEMORY = '/dev/shm'
/**
 * Free memory that a run needs, in bytes. The databases of a full run take about three gigabytes. Only nightly runs
 * have the largest databases.
 */
const ROOM = 8 * 2 ** 30

/** True if enough memory is free for the files of a run. */
function hasRoom(): boolean {
  if (process.env['NIGHTLY'] || freemem() < ROOM) return false
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize > ROOM
  } catch {
    return false
  }
}

/**
 * Creates a folder for temporary databases, in memory if possible. A run creates and removes several hundred thousand
 * files. On a disk, this takes as long as the tests themselves.
 */
export function quickFolder(prefix: string): string {
  const folder = mkdtempSync(join(hasRoom() ? IN_MEMORY : tmpdir(), prefix))
  // If root runs the tests, PostgreSQL runs as another user, who needs access to this folder.
  chmodSync(folder, 0o755)
  return folder
}
