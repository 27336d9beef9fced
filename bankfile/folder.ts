import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refused } from '../provider-kit/refused.ts'
import type { BankfileDeps } from './deps.ts'
import { takeReturns } from './returns.ts'

const LARGEST_NAME = 200

/**
 * Opens the folder for file exchange with the bank. A bank officer or program collects files from `outgoing` and puts
 * the bank's files into `incoming`. A file gets its final name only when it is complete. Accepted files move to `read`,
 * rejected ones to `refused` with a file of reasons.
 */
export function openFolder(root: string | null, deps: BankfileDeps) {
  const { database, clock, seal } = deps

  /**
   * Writes new files to `outgoing`. If the process ends before a file is marked as written, the next run writes the
   * same bytes again.
   */
  async function layOut(folder: string): Promise<void> {
    const { rows } = await database.query<{ id: string; name: string; content_sealed: Buffer }>(
      'SELECT id, name, content_sealed FROM file WHERE laid_at IS NULL ORDER BY seq LIMIT 50',
    )
    for (const { id, name, content_sealed: sealed } of rows) {
      const path = join(folder, 'outgoing', name)
      await mkdir(join(folder, 'outgoing'), { recursive: true, mode: 0o700 })
      await writeFile(`${path}.part`, seal.open(sealed), { encoding: 'latin1', mode: 0o600 })
      await rename(`${path}.part`, path)
      await database.query('UPDATE file SET laid_at = $2 WHERE id = $1', [id, clock.now()])
    }
  }

  async function takeIn(folder: string): Promise<void> {
    const names = await readdir(join(folder, 'incoming')).catch(() => [])
    // Skips incomplete files. While a program writes a file, its name ends in `.part` or starts with a dot.
    for (const name of names.filter(
      (one) => !one.startsWith('.') && !one.endsWith('.part') && one.length < LARGEST_NAME,
    )) {
      const path = join(folder, 'incoming', name)
      const content = await readFile(path, 'latin1').catch(() => null)
      if (content === null) continue
      try {
        await takeReturns(deps, name, content)
        await moveTo(folder, 'read', name, path)
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        await moveTo(folder, 'refused', name, path)
        await writeFile(join(folder, 'refused', `${name}.reasons.txt`), `${error.message}\n`, { mode: 0o600 })
      }
    }
  }

  return {
    async work(): Promise<void> {
      if (root === null) return
      await layOut(root)
      await takeIn(root)
    },
  }
}

async function moveTo(root: string, folder: string, name: string, path: string): Promise<void> {
  await mkdir(join(root, folder), { recursive: true, mode: 0o700 })
  await rename(path, join(root, folder, name))
}
