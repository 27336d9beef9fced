import { afterAll, beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { testPortal } from './harness.ts'
import { RudeCrowd } from './rude-crowd.ts'
import { openTestTown } from './town.ts'
import { nightly } from './nightly.ts'

/** Clients that cost more than they ask for: the others must not notice. `npm run bench rude` says by how much they do. */

let port: number
let crowd: RudeCrowd

beforeAll(async () => {
  const portal = await testPortal()
  await openTestTown(portal, mapleGrove)
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  port = (portal.app.server.address() as { port: number }).port
  crowd = new RudeCrowd(port)
})
afterAll(() => crowd.leave())

/** A call of somebody polite. */
const ask = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/healthz`)).status

async function expectOthersAreServed(): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 50 }, ask))
  expect(answers).toEqual(Array.from({ length: 50 }, () => 200))
}

nightly('two thousand connections that say nothing', async () => {
  await crowd.idle(2000)
  await expectOthersAreServed()
})

test('requests that never end', async () => {
  await crowd.endless(100)
  await expectOthersAreServed()
})

test('clients that ask and do not read, and those that leave in the middle', async () => {
  await crowd.deaf(100)
  await expectOthersAreServed()
})

test('an upload of a gigabyte is refused long before its end', async () => {
  const before = process.memoryUsage().rss
  const { status, sent } = await crowd.upload(2 ** 30)
  expect(status).toBe(413)
  expect(sent).toBeLessThan(2 ** 30 / 4)
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
  await expectOthersAreServed()
})
