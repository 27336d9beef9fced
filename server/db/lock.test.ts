import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../test/harness.ts'
import { isLocked, lockFolder } from './lock.ts'

test('allows one process at a time on a folder', () => {
  const folder = testFolder()
  const unlock = lockFolder(folder)
  expect(isLocked(folder)).toBe(true)
  expect(() => lockFolder(folder)).toThrow(`Another portal (process ${process.pid}) is running on DATA_DIR ${folder}.`)
  unlock()
  expect(isLocked(folder)).toBe(false)
  lockFolder(folder)()
  expect(readdirSync(folder)).toEqual([])
})

test('replaces the lock of a process that ended', async () => {
  const folder = testFolder()
  const module = new URL('./lock.ts', import.meta.url).href
  const code = `const { lockFolder } = await import(${JSON.stringify(module)}); lockFolder(${JSON.stringify(folder)}); process.kill(process.pid, 'SIGKILL')`
  await once(spawn(process.execPath, ['--input-type=module', '-e', code]), 'exit')
  expect(existsSync(join(folder, 'mainstreet.lock'))).toBe(true)
  expect(isLocked(folder)).toBe(false)
  const unlock = lockFolder(folder)
  expect(JSON.parse(readFileSync(join(folder, 'mainstreet.lock'), 'utf8')).pid).toBe(process.pid)
  unlock()
})

test('treats a lock with our number from before a reboot as stale', () => {
  const folder = testFolder()
  writeFileSync(join(folder, 'mainstreet.lock'), JSON.stringify({ pid: process.pid, startedAt: 'another day' }))
  lockFolder(folder)()
})

test('treats a malformed lock as stale', () => {
  const folder = testFolder()
  writeFileSync(join(folder, 'mainstreet.lock'), '')
  lockFolder(folder)()
})
