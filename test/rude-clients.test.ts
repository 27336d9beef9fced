import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { type TestPortal, testPortal } from './harness.ts'
import { openTestTown } from './town.ts'

/** Clients that cost more than they ask for: the others must not notice. */

let portal: TestPortal
let port: number
const sockets: Socket[] = []

beforeAll(async () => {
  portal = await testPortal()
  await openTestTown(portal, mapleGrove)
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  port = (portal.app.server.address() as { port: number }).port
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
})

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

/** A call of somebody polite. */
const ask = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/healthz`)).status

async function expectOthersAreServed(): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 50 }, ask))
  expect(answers).toEqual(Array.from({ length: 50 }, () => 200))
}

test('two thousand connections that say nothing', async () => {
  for (let n = 0; n < 40; n++) await Promise.all(Array.from({ length: 50 }, open))
  await expectOthersAreServed()
})

test('requests that never end', async () => {
  for (let n = 0; n < 100; n++) {
    const socket = await open()
    socket.write(
      n % 2 === 0
        ? 'POST /api/v2/login HTTP/1.1\r\nHost: maplegrove.localhost\r\n'
        : 'POST /api/v2/login HTTP/1.1\r\nHost: maplegrove.localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"email":',
    )
  }
  await expectOthersAreServed()
})

test('clients that ask and do not read, and those that leave in the middle', async () => {
  for (let n = 0; n < 100; n++) {
    const socket = await open()
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nHost: maplegrove.localhost\r\n\r\n'.repeat(20))
    if (n % 2 === 0) socket.destroy()
  }
  await expectOthersAreServed()
})

test('an upload of a gigabyte is refused long before its end', async () => {
  let sent = 0
  const chunk = Buffer.alloc(64 * 1024, 'x')
  const body = Readable.from(
    (function* () {
      for (; sent < 2 ** 30; sent += chunk.length) yield chunk
    })(),
  )
  const before = process.memoryUsage().rss
  const answer = await fetch(`http://127.0.0.1:${port}/api/v2/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Readable.toWeb(body) as ReadableStream,
    duplex: 'half',
  } as RequestInit).then(
    ({ status }) => status,
    // The line may be cut before the answer is read.
    () => 413,
  )
  expect(answer).toBe(413)
  expect(sent).toBeLessThan(2 ** 30 / 4)
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
  await expectOthersAreServed()
})
