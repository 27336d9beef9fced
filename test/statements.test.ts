import { beforeAll, expect, test } from 'vitest'
import { type TestPortal, testPortal } from './harness.ts'
import { noting, type Statement } from './noting.ts'

const TOWN = 'maplegrove.localhost'
let portal: TestPortal
const tokens: Record<string, string> = {}

beforeAll(async () => {
  portal = await testPortal({ demo: true })
  for (const who of ['resident', 'admin', 'staff']) tokens[who] = await portal.signIn(TOWN, `${who}@maplegrove.example`)
})

/** Asks once, so that what is kept is there, and counts the statements of the second time. */
async function statementsOf(ask: () => Promise<{ status: number }>): Promise<Statement[]> {
  expect((await ask()).status).toBe(200)
  const sent: Statement[] = []
  const stop = noting(portal.db.app, sent)
  expect((await ask()).status).toBe(200)
  stop()
  return sent
}
const told = (sent: Statement[]) => sent.map(({ text }) => text.replaceAll(/\s+/g, ' ').slice(0, 150)).join('\n')

test('a guest finds a bill in few statements', async () => {
  let n = 0
  const accounts = ['100001', '100014']
  const sent = await statementsOf(() =>
    portal.post(TOWN, 'find/guest/bill', { accountNumber: accounts[n++ % 2], zip: '17011' }),
  )
  expect(sent.length, told(sent)).toBeLessThanOrEqual(12)
})

test('the page of a request takes few statements', async () => {
  const { body } = await portal.post(TOWN, 'muni/return/communications', {}, { token: tokens['admin'] })
  const sent = await statementsOf(() =>
    portal.post(TOWN, 'muni/return/communication/request', { subjectId: body.rows[0].id }, { token: tokens['admin'] }),
  )
  expect(sent.length, told(sent)).toBeLessThanOrEqual(15)
})

test('the day of the field takes few statements', async () => {
  const sent = await statementsOf(() => portal.post(TOWN, 'muni/return/field/day', {}, { token: tokens['admin'] }))
  expect(sent.length, told(sent)).toBeLessThanOrEqual(22)
})
