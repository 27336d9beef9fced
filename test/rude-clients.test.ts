import { afterAll, beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { testPortal } from './harness.ts'
import { RudeCrowd } from './rude-crowd.ts'
import { openTestCompany } from './company.ts'
import { nightly } from './nightly.ts'

/**
 * Tests that clients that waste server resources do not affect other clients. `npm run bench rude` measures the effect.
 */

let port: number
let crowd: RudeCrowd

beforeAll(async () => {
  const portal = await testPortal()
  await openTestCompany(portal, mapleGrove)
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  port = (portal.app.server.address() as { port: number }).port
  crowd = new RudeCrowd(port)
})
afterAll(() => crowd.leave())

/** Makes a normal request and returns its status. */
const checkHealth = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/healthz`)).status

async function expectOthersAreServed(): Promise<void> {
  const statuses = await Promise.all(Array.from({ length: 50 }, checkHealth))
  expect(statuses).toEqual(Array.from({ length: 50 }, () => 200))
}

nightly('two thousand connections that say nothing', async () => {
  await crowd.idle(2000)
  await expectOthersAreServed()
})

test('serves others during requests that never end', async () => {
  await crowd.endless(100)
  await expectOthersAreServed()
})

test('serves others during clients that do not read or that disconnect', async () => {
  await crowd.deaf(100)
  await expectOthersAreServed()
})

test('refuses an upload of a gigabyte long before its end', async () => {
  const before = process.memoryUsage().rss
  const { status, sent } = await crowd.upload(2 ** 30)
  expect(status).toBe(413)
  expect(sent).toBeLessThan(2 ** 30 / 4)
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
  await expectOthersAreServed()
})
