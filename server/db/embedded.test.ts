import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { testFolder } from '../../test/harness.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import { nightly } from '../../test/nightly.ts'

const running: Embedded[] = []
afterAll(() => Promise.all(running.map((embedded) => embedded.stop())))

async function start(dataDir: string): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDir, durable: false })
  running.push(embedded)
  return embedded
}

async function runSql(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Starts the database from another process, then kills that process so that it can't stop the database. */
async function startAndDie(dataDir: string): Promise<void> {
  const module = new URL('./embedded.ts', import.meta.url).href
  const code = `const { startEmbedded } = await import(${JSON.stringify(module)})
    await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, durable: false })
    process.kill(process.pid, 'SIGKILL')`
  const [, signal] = await once(
    spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' }),
    'exit',
  )
  expect(signal).toBe('SIGKILL')
}

test('keeps its data after a stop and requires a password', async () => {
  const dataDir = testFolder()
  const first = await start(dataDir)
  await runSql(first.url, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)')
  await first.stop()
  await expect(runSql(first.url, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/)

  const second = await start(dataDir)
  expect(second.adopted).toBe(false)
  expect(await runSql(second.url, 'SELECT id FROM kept')).toEqual([{ id: 7 }])
  expect(await runSql(second.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
  expect(await runSql(second.url, 'SHOW unix_socket_directories')).toEqual([{ unix_socket_directories: '' }])
  const invalidUrl = new URL(second.url)
  invalidUrl.password = 'guess'
  await expect(runSql(invalidUrl.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/)
  expect(statSync(join(dataDir, 'postgres-password')).mode & 0o077).toBe(0)
  expect(statSync(join(dataDir, 'postgres')).mode & 0o077).toBe(0)
})

test('is adopted after a kill and stops with the next portal', async () => {
  const dataDir = testFolder()
  await startAndDie(dataDir)
  const pid = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]
  const next = await start(dataDir)
  expect(next.adopted).toBe(true)
  expect(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]).toBe(pid)
  await next.stop()
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
})

nightly('is stopped and started anew where what was left does not let us in', async () => {
  const dataDir = testFolder()
  await startAndDie(dataDir)
  const left = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  // The file contains a wrong port, so connections fail.
  writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), left.with(3, '1').join('\n'))
  const next = await start(dataDir)
  expect(next.adopted).toBe(false)
  expect(await runSql(next.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

nightly('does not mind a process number that belongs to somebody else by now', async () => {
  const dataDir = testFolder()
  await (await start(dataDir)).stop()
  writeFileSync(
    join(dataDir, 'postgres', 'postmaster.pid'),
    `${process.pid}\n${dataDir}/postgres\n1\n5432\n\n127.0.0.1\n\nready\n`,
  )
  const next = await start(dataDir)
  expect(next.adopted).toBe(false)
})

nightly('a first start that was cut off is begun again', async () => {
  const dataDir = testFolder()
  await (await start(dataDir)).stop()
  renameSync(join(dataDir, 'postgres'), join(dataDir, 'postgres.unfinished'))
  const next = await start(dataDir)
  expect(await runSql(next.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('reports its own unexpected end', async () => {
  const dataDir = testFolder()
  const embedded = await start(dataDir)
  const died = new Promise<void>((resolve) => embedded.onDeath(resolve))
  process.kill(Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT')
  await died
})

nightly('a lost password is told, and nothing is overwritten', async () => {
  const dataDir = testFolder()
  await (await start(dataDir)).stop()
  rmSync(join(dataDir, 'postgres-password'))
  await expect(start(dataDir)).rejects.toThrow(/postgres-password is missing/)
})
