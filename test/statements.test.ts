import { beforeAll, expect, test } from 'vitest'
import { type TestPortal, testPortal } from './harness.ts'
import { noting, type Statement } from './noting.ts'

const HOST = 'maplegrove.localhost'
let portal: TestPortal
const tokens: Record<string, string> = {}

beforeAll(async () => {
  portal = await testPortal({ demo: true })
  for (const role of ['resident', 'admin', 'staff'])
    tokens[role] = await portal.signIn(HOST, `${role}@maplegrove.example`)
})

/** Makes a call twice and returns the SQL statements of the second call, which uses filled caches. */
async function statementsOf(load: () => Promise<{ status: number }>): Promise<Statement[]> {
  expect((await load()).status).toBe(200)
  const sent: Statement[] = []
  const stop = noting(portal.db.app, sent)
  expect((await load()).status).toBe(200)
  stop()
  return sent
}
const summaryOf = (sent: Statement[]) => sent.map(({ text }) => text.replaceAll(/\s+/g, ' ').slice(0, 150)).join('\n')

test('needs few statements for a guest to find a bill', async () => {
  let n = 0
  const accounts = ['100001', '100014']
  const sent = await statementsOf(() =>
    portal.post(HOST, 'find/guest/bill', { accountNumber: accounts[n++ % 2], zip: '17011' }),
  )
  expect(sent.length, summaryOf(sent)).toBeLessThanOrEqual(12)
})

test('needs few statements for the page of a request', async () => {
  const { body } = await portal.post(HOST, 'muni/return/communications', {}, { token: tokens['admin'] })
  const sent = await statementsOf(() =>
    portal.post(HOST, 'muni/return/communication/request', { subjectId: body.rows[0].id }, { token: tokens['admin'] }),
  )
  expect(sent.length, summaryOf(sent)).toBeLessThanOrEqual(15)
})

test('needs few statements for the field work of a day', async () => {
  const sent = await statementsOf(() => portal.post(HOST, 'muni/return/field/day', {}, { token: tokens['admin'] }))
  expect(sent.length, summaryOf(sent)).toBeLessThanOrEqual(22)
})
