import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from './harness.ts'
import { bareEnv } from './processes.ts'

const moduleUrl = new URL('../bin/hand-over.mjs', import.meta.url).href

/**
 * Runs a program in the same way as `npm start` runs the portal. Each time the program starts, it writes a line to
 * `starts`.
 */
function running(program: string) {
  const folder = testFolder()
  const starts = join(folder, 'starts')
  writeFileSync(starts, '')
  const script = join(folder, 'program.mjs')
  writeFileSync(
    script,
    `import { appendFileSync, readFileSync } from 'node:fs'
    appendFileSync(${JSON.stringify(starts)}, 'start\\n')
    const nth = readFileSync(${JSON.stringify(starts)}, 'utf8').split('\\n').length - 1
    ${program}`,
  )
  const options = `{ cwd: ${JSON.stringify(folder)}, env: process.env, keeps: true, say: console.log }`
  const above = `import(${JSON.stringify(moduleUrl)}).then(({ handOver }) => handOver(process.execPath, [${JSON.stringify(script)}], ${options}))`
  const child = spawn(process.execPath, ['-e', above], { env: bareEnv })
  let printed = ''
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()))
  child.stderr.on('data', (text: Buffer) => (printed += text.toString()))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, printed, starts: countIn(starts) }))
  const until = (text: string) =>
    new Promise<void>((resolve) => child.stdout.on('data', () => printed.includes(text) && resolve()))
  return { child, ended, until }
}
const countIn = (starts: string) => readFileSync(starts, 'utf8').split('\n').length - 1

test('restarts a portal that died after it was ready, with growing waits', async () => {
  const { ended } = running(
    `process.send('ready', () => (nth < 3 ? process.kill(process.pid, 'SIGKILL') : process.exit(0)))`,
  )
  const { code, printed, starts } = await ended
  expect({ code, starts }).toEqual({ code: 0, starts: 3 })
  expect(printed).toBe(
    'The portal ended (SIGKILL). It starts again in 1 s.\nThe portal ended (SIGKILL). It starts again in 2 s.\n',
  )
})

test('passes on the exit code of a portal that could not start', async () => {
  expect(await running('process.exit(3)').ended).toEqual({ code: 3, printed: '', starts: 1 })
})

test('stops with the portal after a signal', async () => {
  const { child, ended, until } = running(
    `process.on('SIGTERM', () => process.exit(0)); process.send('ready', () => console.log('up')); setInterval(() => {}, 1000)`,
  )
  await until('up')
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, starts: 1 })
})
