import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux keeps files here in memory. */
const IN_MEMORY = '/dev/shm'
/** The databases of a whole run take some three gigabytes; the largest ones are of the night. */
const ROOM = 8 * 2 ** 30

/** Whether so much can lie in memory without anybody else missing it. */
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
 * A folder for databases that are thrown away: in memory where there is room for them, since a run makes and removes some
 * hundred thousand files, which takes a disk as long as the tests take.
 */
export function quickFolder(prefix: string): string {
  const folder = mkdtempSync(join(hasRoom() ? IN_MEMORY : tmpdir(), prefix))
  // Where root runs the tests, PostgreSQL is another user, who must get through here.
  chmodSync(folder, 0o755)
  return folder
}
