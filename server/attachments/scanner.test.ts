import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TestClamd, VIRUS } from '../../test/clamd.ts'
import { testFolder } from '../../test/harness.ts'
import { freePort } from '../ports.ts'
import { clamd, noScanner, ScannerAway } from './scanner.ts'

const PATIENCE_MS = 300
const good = Buffer.from('a good file')
const bad = Buffer.from(`a file with ${VIRUS} in it`)
/** 12 MB in pieces. */
const huge = () => Readable.from(Array.from({ length: 120 }, () => Buffer.alloc(100_000, 'x')))

describe('a virus scanner', () => {
  let daemon: TestClamd
  let port: number
  beforeEach(async () => {
    daemon = new TestClamd()
    port = await freePort()
    await daemon.listen({ port })
  })
  afterEach(() => daemon.close())
  const scan = (content: Buffer | (() => Readable)) =>
    clamd({ host: '127.0.0.1', port }, daemon.manner === 'silent' ? PATIENCE_MS : 20_000).scan(content)

  it('says of a good file that it is clean, of a bad one what it found', async () => {
    expect(await scan(good)).toEqual({ clean: true })
    expect(await scan(bad)).toEqual({ found: 'Mainstreet.Test' })
    expect(daemon.seen).toEqual([good, bad])
  })

  it('is shown each byte of a large file, in pieces', async () => {
    const content = Buffer.concat([Buffer.alloc(1_000_001, 'y'), bad])
    expect(await scan(content)).toEqual({ found: 'Mainstreet.Test' })
    expect(daemon.seen[0]?.equals(content)).toBe(true)
    expect(await scan(() => Readable.from([content.subarray(0, 70_000), content.subarray(70_000)]))).toEqual({
      found: 'Mainstreet.Test',
    })
    expect(daemon.seen[1]?.equals(content)).toBe(true)
  })

  it('takes a huge stream, and says so where it is more than it looks at', async () => {
    expect(await scan(huge)).toEqual({ clean: true })
    daemon.mostBytes = 1_000_000
    // Its answer may be lost with the connection, which it closes in the middle: the file is not clean in either case.
    const verdict = await scan(huge).catch((error: unknown) => error)
    if (!(verdict instanceof ScannerAway)) expect(verdict).toEqual({ tooLarge: true })
  })

  it.each(['hang up at once', 'hang up in the middle', 'half an answer', 'silent', 'nonsense', 'early OK'] as const)(
    'that behaves badly (%s) counts as away, never as an answer',
    async (manner) => {
      daemon.manner = manner
      // All of a small file is on its way before an OK can be too early.
      if (manner !== 'early OK') await expect(scan(good)).rejects.toThrow(ScannerAway)
      await expect(scan(huge)).rejects.toThrow(ScannerAway)
    },
  )

  it('that nobody started counts as away', async () => {
    await daemon.close()
    await expect(scan(good)).rejects.toThrow(/cannot be reached: ECONNREFUSED/)
    await expect(clamd({ path: join(testFolder(), 'none') }).scan(good)).rejects.toThrow(ScannerAway)
    await daemon.listen({ port })
  })

  it('does not take a file that is lost for one that is clean', async () => {
    const lost = () =>
      new Readable({
        read() {
          this.destroy(Object.assign(new Error('gone'), { code: 'ENOENT' }))
        },
      })
    await expect(scan(lost)).rejects.toThrow('gone')
  })

  it('that is not configured has nothing against anything', async () => {
    expect(await noScanner.scan(bad)).toEqual({ clean: true })
  })
})

const installed = ['/usr/sbin/clamd', '/usr/local/sbin/clamd', '/opt/homebrew/sbin/clamd'].find(existsSync)

describe.skipIf(!installed)("ClamAV's own daemon, with a signature of ours", () => {
  it('is understood', async () => {
    const folder = testFolder()
    const socket = join(folder, 'clamd.sock')
    writeFileSync(join(folder, 'ours.ndb'), `Mainstreet.Test:0:*:${Buffer.from(VIRUS).toString('hex')}\n`)
    const settings = `LocalSocket ${socket}\nDatabaseDirectory ${folder}\nForeground yes\nStreamMaxLength 1M\n`
    writeFileSync(join(folder, 'clamd.conf'), settings)
    execFileSync('chmod', ['-R', 'a+rwX', folder])
    const daemon = spawn(installed ?? '', ['--config-file', join(folder, 'clamd.conf')], { stdio: 'ignore' })
    try {
      const scanner = clamd({ path: socket })
      await expect.poll(() => scanner.scan(good).catch(() => null), { timeout: 20_000 }).toEqual({ clean: true })
      expect(await scanner.scan(bad)).toEqual({ found: expect.stringMatching(/^Mainstreet\.Test/) })
      // What is more than its StreamMaxLength is refused: it can't be sure of it.
      const verdict = await scanner.scan(huge).catch((error: unknown) => error)
      if (!(verdict instanceof ScannerAway)) expect(verdict).toEqual({ tooLarge: true })
      expect(await scanner.scan(good)).toEqual({ clean: true })
    } finally {
      const ended = once(daemon, 'exit')
      daemon.kill()
      await ended
    }
  })
})
