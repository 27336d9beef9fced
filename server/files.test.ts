import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, describe, expect, test } from 'vitest'
import { testClock, testFolder } from '../test/harness.ts'
import { bareEnv } from '../test/processes.ts'
import { cuttableLine, startS3, startSeparateS3 } from '../test/s3-server.ts'
import { readConfig } from './config.ts'
import type { Files } from './files.ts'
import { openFiles } from './open-files.ts'
import { StartError } from './start-error.ts'
import { companyIdFrom } from './tenancy.ts'
import { nightly } from '../test/nightly.ts'

const company = companyIdFrom('import', 7)
const content = Buffer.from('a form that somebody filled in')
const MB = 1024 * 1024

const opened: (() => Promise<void>)[] = []
afterAll(() => Promise.all(opened.map((close) => close())))

const open = (env: Record<string, string>, dataDir = testFolder()): Promise<Files> =>
  openFiles(readConfig({ DATA_DIR: dataDir, ...env }, 'test'), testClock())

const onDisk = async () => {
  const folder = testFolder()
  const left = () =>
    readdirSync(join(folder, 'files'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return { folder, files: await open({}, folder), left }
}

async function onS3() {
  const s3 = await startS3(testFolder())
  const line = await cuttableLine(s3.env.S3_ENDPOINT)
  opened.push(s3.close, line.close)
  const env = { ...s3.env, S3_ENDPOINT: line.url, S3_PREFIX: 'portal' }
  const left = () => [...s3.objects(), ...Array.from({ length: s3.unfinishedUploads() }, () => 'an unfinished upload')]
  return { s3, line, env, files: await open(env), left }
}

/** Creates a stream of this many megabytes, which are never all in memory. The stream fails at `breaksAt` megabytes. */
const stream = (megabytes: number, breaksAt = Infinity, onMegabyte = () => {}) =>
  Readable.from(
    (async function* () {
      for (let at = 0; at < megabytes; at++) {
        if (at === breaksAt) throw new Error('the line is dead')
        onMegabyte()
        yield Buffer.alloc(MB, at)
      }
    })(),
    { objectMode: false },
  )

const drain = async (readable: Readable, onMegabyte = () => {}) => {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of readable as AsyncIterable<Buffer>) {
    hash.update(chunk)
    if (Math.floor((bytes + chunk.length) / MB) > Math.floor(bytes / MB)) onMegabyte()
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest() }
}

describe.each([
  ['on disk', onDisk],
  ['in a bucket', onS3],
])('files %s', (_where, openStore) => {
  test('returns a file unchanged, with its length and checksum', async () => {
    const { files } = await openStore()
    const written = await files.write(company, Readable.from([content.subarray(0, 5), content.subarray(5)]))
    expect(written).toMatchObject({
      path: expect.stringMatching(/^7\/2026\//),
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest(),
    })
    expect(await buffer(files.read(written.path))).toEqual(content)
  })

  test('accepts an empty file and a path from another store', async () => {
    const { files } = await openStore()
    const { path, bytes } = await files.write(company, Buffer.alloc(0))
    expect(bytes).toBe(0)
    expect(await buffer(files.read(path))).toEqual(Buffer.alloc(0))
    const elsewhere = '8/2025/00000000-0000-4000-8000-000000000000'
    await files.put(elsewhere, content)
    await files.put(elsewhere, content)
    expect(await buffer(files.read(elsewhere))).toEqual(content)
  })

  test('reads part of a file', async () => {
    const { files } = await openStore()
    const { path } = await files.write(company, content)
    expect(await buffer(files.read(path, { start: 2, end: 5 }))).toEqual(content.subarray(2, 6))
  })

  test.each([1, 20])('leaves no data if an upload breaks off after %i MB', async (megabytes) => {
    const { files, left } = await openStore()
    await expect(files.write(company, stream(30, megabytes))).rejects.toThrow('the line is dead')
    expect(left()).toEqual([])
  })

  test('removes a file, even twice, and then reports it missing', async () => {
    const { files, left } = await openStore()
    const { path } = await files.write(company, content)
    await files.remove(path)
    await files.remove(path)
    await expect(buffer(files.read(path))).rejects.toMatchObject({
      code: 'ENOENT',
      message: expect.stringContaining('ENOENT'),
    })
    expect(left()).toEqual([])
  })

  test('survives a reader that disconnects early', async () => {
    const { files } = await openStore()
    const { path } = await files.write(company, stream(12))
    for await (const _chunk of files.read(path)) break
    files.read(path).destroy()
    expect((await drain(files.read(path))).bytes).toBe(12 * MB)
  })

  test.each(['../../etc/passwd', '/etc/passwd', '7/2026/../../secrets.json', ''])(
    'refuses a path outside the store: %s',
    async (path) => {
      const { files } = await openStore()
      expect(() => files.read(path)).toThrow('not a path of a stored file')
      expect(() => files.remove(path)).toThrow('not a path of a stored file')
      await expect(files.put(path, content)).rejects.toThrow('not a path of a stored file')
    },
  )
})

nightly.each([
  ['on disk', async () => ({})],
  [
    'in a bucket',
    async () => {
      const s3 = await startSeparateS3(testFolder())
      opened.push(s3.close)
      return s3.env
    },
  ],
])('50 MB go there and come back with a flat memory: %s', async (_where, configured) => {
  const files = await open(await configured())
  const memory = memoryWatch()
  const written = await files.write(company, stream(50, Infinity, memory.measure))
  const back = await drain(files.read(written.path), memory.measure)
  expect(back).toEqual({ bytes: 50 * MB, sha256: written.sha256 })
  expect(memory.maxMB()).toBeLessThan(35)
})

/** Starts to measure buffer memory. The result reports the largest growth since the start, in megabytes. */
function memoryWatch() {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const now = () => {
    collect()
    return process.memoryUsage().arrayBuffers / MB
  }
  const before = now()
  let max = 0
  let samples = 0
  return {
    measure: () => void (samples++ % 6 === 5 && (max = Math.max(max, now() - before))),
    maxMB: () => max,
  }
}

test('stores files on disk that only their owner can read', async () => {
  const { folder, files } = await onDisk()
  const { path } = await files.write(company, content)
  expect(statSync(join(folder, 'files', path)).mode & 0o077).toBe(0)
})

describe('bucket', () => {
  test('stores only our files below the prefix, without the start’s test object', async () => {
    const { files, s3 } = await onS3()
    expect(s3.objects()).toEqual([])
    const { path } = await files.write(company, content)
    expect(s3.objects()).toEqual([join('portal', path)])
  })

  test('drops a write with a broken connection and accepts the next one', async () => {
    const { files, line, left } = await onS3()
    line.cutAfter({ up: 10 * MB })
    await expect(files.write(company, stream(20))).rejects.toThrow(/ECONNRESET|EPIPE|socket hang up/)
    line.restore()
    expect(left().filter((name) => name !== 'an unfinished upload')).toEqual([])
    expect((await files.write(company, stream(9))).bytes).toBe(9 * MB)
  })

  test('fails a read with a broken connection, never returning a part', async () => {
    const { files, line } = await onS3()
    const { path } = await files.write(company, stream(9))
    line.cutAfter({ down: 3 * MB })
    await expect(drain(files.read(path))).rejects.toThrow(/aborted|ECONNRESET|socket hang up/)
    line.restore()
    expect((await drain(files.read(path))).bytes).toBe(9 * MB)
  })

  test.each<[what: string, env: Record<string, string>, text: RegExp]>([
    [
      'where nobody listens',
      { S3_ENDPOINT: 'http://127.0.0.1:1' },
      /at http:\/\/127\.0\.0\.1:1 \(connect ECONNREFUSED/,
    ],
    ['with a wrong secret', { S3_SECRET_ACCESS_KEY: 'wrong-secret' }, /\(The request signature we calculated does not/],
    ['with an unknown key', { S3_ACCESS_KEY_ID: 'nobody' }, /\(The AWS Access Key Id you provided does not exist/],
    [
      'that is not there',
      { S3_BUCKET: 'other-files' },
      /^S3_BUCKET other-files .*\(The specified bucket does not exist/,
    ],
  ])('stops the start in one line for a bucket %s', async (_what, env, message) => {
    const { env: whole } = await onS3()
    const error = await open({ ...whole, ...env }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(StartError)
    expect((error as Error).message).toMatch(/^S3_BUCKET [a-z-]+ cannot be written at http.*\)\.$/)
    expect((error as Error).message).toMatch(message)
    expect((error as Error).message).not.toContain('wrong-secret')
  })
})

nightly('its library is loaded where a bucket is configured, and nowhere else', async () => {
  const { s3 } = await onS3()
  const loaded = (env: Record<string, string>) => {
    const from = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
    const code = `import { registerHooks } from 'node:module'
      let loads = 0
      registerHooks({ load: (url, context, next) => (url.includes('@aws-sdk/client-s3') && loads++, next(url, context)) })
      const { openFiles } = await import(${from('./open-files.ts')})
      const { readConfig } = await import(${from('./config.ts')})
      await import(${from('./app.ts')})
      await openFiles(readConfig(process.env, 'test'), { now: () => new Date() }).catch(() => {})
      console.log(loads > 0)
      process.exit()`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      env: { ...bareEnv, DATA_DIR: testFolder(), ...env },
      encoding: 'utf8',
    })
    return stdout.trim() || stderr
  }
  expect(loaded({})).toBe('false')
  expect(loaded({ ...s3.env, S3_ENDPOINT: 'http://127.0.0.1:1' })).toBe('true')
})
