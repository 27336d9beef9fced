import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux keeps files here in memory. */
const IN_MEMORY = '/dev/shm'
/**
 * Free memory that a run needs, in bytes. The databases of a full run take about three gigabytes. The largest ones
 * exist only in the night run.
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
 * Creates a folder for temporary databases: in memory if possible. A run creates and removes some hundred thousand
 * files, which on a disk takes as long as the tests.
 */
export function quickFolder(prefix: string): string {
  const folder = mkdtempSync(join(hasRoom() ? IN_MEMORY : tmpdir(), prefix))
  // If root runs the tests, PostgreSQL runs as another user, who needs access to this folder.
  chmodSync(folder, 0o755)
  return folder
}
