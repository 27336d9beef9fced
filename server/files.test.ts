import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { testClock, testFolder } from '../test/harness.ts'
import { filesOnDisk } from './files.ts'
import { companyIdFrom } from './tenancy.ts'

const town = companyIdFrom('import', 7)
const content = Buffer.from('a form that somebody filled in')

const store = () => {
  const folder = testFolder()
  return { folder, files: filesOnDisk(folder, testClock()) }
}

test('a file comes back as it was kept, with its length and checksum', async () => {
  const { files } = store()
  const written = await files.write(town, Readable.from([content.subarray(0, 5), content.subarray(5)]))
  expect(written).toMatchObject({
    path: expect.stringMatching(/^7\/2026\//),
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest(),
  })
  expect(await buffer(files.read(written.path))).toEqual(content)
})

test('only its owner can read it on the disk', async () => {
  const { folder, files } = store()
  const { path } = await files.write(town, content)
  expect(statSync(join(folder, path)).mode & 0o077).toBe(0)
})

test('an upload that breaks off leaves nothing', async () => {
  const { folder, files } = store()
  const broken = new Readable({
    read() {
      this.push(content)
      this.destroy(new Error('the line is dead'))
    },
  })
  await expect(files.write(town, broken)).rejects.toThrow('the line is dead')
  expect(readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())).toEqual([])
})

test('a file can be removed, twice', async () => {
  const { files } = store()
  const { path } = await files.write(town, content)
  await files.remove(path)
  await files.remove(path)
  await expect(buffer(files.read(path))).rejects.toThrow('ENOENT')
})

test.each(['../../etc/passwd', '/etc/passwd', '7/2026/../../secrets.json', ''])(
  'no path leads out of the store: %s',
  async (path) => {
    const { files } = store()
    expect(() => files.read(path)).toThrow('not a path of a stored file')
    expect(() => files.remove(path)).toThrow('not a path of a stored file')
  },
)
