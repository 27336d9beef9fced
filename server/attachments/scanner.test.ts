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

const TIMEOUT_MS = 300
const good = Buffer.from('a good file')
const bad = Buffer.from(`a file with ${VIRUS} in it`)
const huge = () => Readable.from(Array.from({ length: 120 }, () => Buffer.alloc(100_000, 'x')))

describe('virus scanner', () => {
  let daemon: TestClamd
  let port: number
  beforeEach(async () => {
    daemon = new TestClamd()
    port = await freePort()
    await daemon.listen({ port })
  })
  afterEach(() => daemon.close())
  const scan = (content: Buffer | (() => Readable)) =>
    clamd({ host: '127.0.0.1', port }, daemon.manner === 'silent' ? TIMEOUT_MS : 20_000).scan(content)

  it('tells clean files from infected ones and names the virus', async () => {
    expect(await scan(good)).toEqual({ clean: true })
    expect(await scan(bad)).toEqual({ finding: 'Mainstreet.Test' })
    expect(daemon.seen).toEqual([good, bad])
  })

  it('sends each byte of a large file, in pieces', async () => {
    const content = Buffer.concat([Buffer.alloc(1_000_001, 'y'), bad])
    expect(await scan(content)).toEqual({ finding: 'Mainstreet.Test' })
    expect(daemon.seen[0]?.equals(content)).toBe(true)
    expect(await scan(() => Readable.from([content.subarray(0, 70_000), content.subarray(70_000)]))).toEqual({
      finding: 'Mainstreet.Test',
    })
    expect(daemon.seen[1]?.equals(content)).toBe(true)
  })

  it('reports a stream above the scanner’s limit', async () => {
    expect(await scan(huge)).toEqual({ clean: true })
    daemon.maxBytes = 1_000_000
    // The scanner closes the connection during the transfer, so its response may get lost. Whether or not the response
    // arrives, the scan must not report the file as clean.
    const result = await scan(huge).catch((error: unknown) => error)
    if (!(result instanceof ScannerAway)) expect(result).toEqual({ tooLarge: true })
  })

  it.each(['hang up at once', 'hang up in the middle', 'half an answer', 'silent', 'nonsense', 'early OK'] as const)(
    'counts a faulty scanner (%s) as unavailable',
    async (manner) => {
      daemon.manner = manner
      // A small file is completely sent before an early OK can arrive. So the early OK needs a large file.
      if (manner !== 'early OK') await expect(scan(good)).rejects.toThrow(ScannerAway)
      await expect(scan(huge)).rejects.toThrow(ScannerAway)
    },
  )

  it('counts a scanner that does not run as unavailable', async () => {
    await daemon.close()
    await expect(scan(good)).rejects.toThrow(/cannot be reached: ECONNREFUSED/)
    await expect(clamd({ path: join(testFolder(), 'none') }).scan(good)).rejects.toThrow(ScannerAway)
    await daemon.listen({ port })
  })

  it('does not report a lost file as clean', async () => {
    const lost = () =>
      new Readable({
        read() {
          this.destroy(Object.assign(new Error('gone'), { code: 'ENOENT' }))
        },
      })
    await expect(scan(lost)).rejects.toThrow('gone')
  })

  it('accepts every file if no scanner is configured', async () => {
    expect(await noScanner.scan(bad)).toEqual({ clean: true })
  })
})

const installed = ['/usr/sbin/clamd', '/usr/local/sbin/clamd', '/opt/homebrew/sbin/clamd'].find(existsSync)

describe.skipIf(!installed)("ClamAV's own daemon, with our test signature", () => {
  it('scans files', async () => {
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
      expect(await scanner.scan(bad)).toEqual({ finding: expect.stringMatching(/^Mainstreet\.Test/) })
      // ClamAV refuses files above its StreamMaxLength, because it can't scan the whole file.
      const result = await scanner.scan(huge).catch((error: unknown) => error)
      if (!(result instanceof ScannerAway)) expect(result).toEqual({ tooLarge: true })
      expect(await scanner.scan(good)).toEqual({ clean: true })
    } finally {
      const ended = once(daemon, 'exit')
      daemon.kill()
      await ended
    }
  })
})
