import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { type TestPortal, testPortal } from '../../test/harness.ts'
import { openTestTown } from '../../test/town.ts'
import { numberOf } from './rules.ts'

/** Requests and their work orders under several of the staff and whoever asked, all at once and at random. */

const MAPLE = 'maplegrove.localhost'
const RUNS = process.env['NIGHTLY'] ? 300 : 6
const REQUESTS = 3

let portal: TestPortal
let category = 0
const tokens: Record<string, string> = {}

beforeAll(async () => {
  portal = await testPortal()
  const maple = await openTestTown(portal, mapleGrove)
  await liftLimits(portal.owner)
  for (const who of ['admin', 'manager', 'resident'])
    tokens[who] = await portal.signIn(MAPLE, `${who}@maplegrove.example`)
  const { rows } = await portal.owner.query<{ id: number }>(
    `INSERT INTO request_category (company_id, name, target_days, needs_place) VALUES ($1, 'Pothole', 3, 0) RETURNING id`,
    [maple],
  )
  category = Number(rows[0]?.id)
})

const call = (path: string, body: object, who = '') =>
  portal.post(MAPLE, path, body, {
    ...(who && { token: tokens[who] ?? '' }),
    headers: { 'idempotency-key': randomUUID() },
  })

interface Sent {
  id: number
  /** Of its page. */
  token: string
}

async function send(): Promise<Sent> {
  const place = { text: 'At the school', addressId: null, lat: null, lon: null, metres: null }
  const told = { description: 'A hole as wide as a wheel.', name: 'Ann Lee', email: 'ann@example.org', phone: '' }
  const answer = await call(
    'send/communication/request',
    { ...told, categoryId: category, version: 0, answers: {}, files: [], place },
    'resident',
  )
  expect(answer.status, answer.body.message).toBe(200)
  const { rows } = await portal.owner.query('SELECT id FROM service_request WHERE number = $1', [answer.body.number])
  return { id: Number(rows[0].id), token: answer.body.token }
}

const one = fc.nat(REQUESTS - 1)
const staff = fc.constantFrom('admin', 'manager')
const deed = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('step' as const),
      of: one,
      who: staff,
      event: fc.constantFrom('start', 'complete', 'reopen', 'invalidate'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('order' as const), of: one, who: staff }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('work' as const),
      nth: fc.nat(2),
      who: staff,
      event: fc.constantFrom('start', 'complete', 'reopen', 'invalidate'),
    }),
  },
  fc.record({ do: fc.constant('merge' as const), of: one, into: one, who: staff }),
  fc.record({ do: fc.constantFrom('separate' as const, 'spam' as const, 'no spam' as const), of: one, who: staff }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('judge' as const), of: one, mended: fc.boolean() }) },
  fc.record({ do: fc.constant('cancel' as const), of: one }),
)
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never

/** Done or refused: never a failure. */
async function happen(sent: readonly Sent[], orders: readonly number[], step: Deed): Promise<void> {
  const subject = 'of' in step ? sent[step.of] : undefined
  const answer = await (() => {
    if (step.do === 'work') {
      const orderId = orders[step.nth % Math.max(orders.length, 1)] ?? 1
      return call('muni/change/work/order/status', { orderId, event: step.event, reason: 'It is so.' }, step.who)
    }
    const { id: subjectId, token } = subject ?? { id: 0, token: '' }
    switch (step.do) {
      case 'step':
        return call('muni/change/communication/status', { subjectId, event: step.event, reason: 'It is so.' }, step.who)
      case 'order': {
        const order = { title: 'Fill it', description: '', severity: '1', dueOn: '', withFiles: false }
        return call('muni/open/communication/work/order', { subjectId, ...order }, step.who)
      }
      case 'merge':
        return call(
          'muni/merge/communication/request',
          { subjectId, into: numberOf(sent[step.into]?.id ?? 0) },
          step.who,
        )
      case 'separate':
        return call('muni/separate/communication/request', { subjectId }, step.who)
      case 'spam':
      case 'no spam':
        return call('muni/mark/communication/spam', { subjectId, spam: step.do === 'spam' }, step.who)
      case 'judge':
        return call('judge/communication/request', { token, isMended: step.mended, words: '' })
      case 'cancel':
        return call('cancel/communication/request', { token })
    }
  })()
  expect([200, 400, 403, 404, 409, 422], `${step.do}: ${answer.body.message}`).toContain(answer.status)
}

/** Whoever asked, the desk, the inbox and the history say the same. */
async function expectOneTruth(sent: readonly Sent[]): Promise<void> {
  const mine = await call('return/my/requests', {}, 'resident')
  const inbox = await call('muni/return/communications', { filters: {}, pageSize: 100 }, 'admin')
  const spam = await call('muni/return/communications', { filters: { status: 'spam' }, pageSize: 100 }, 'admin')
  for (const { id, token } of sent) {
    const { body: desk } = await call('muni/return/communication/request', { subjectId: id }, 'manager')
    const { body: theirs } = await call('return/communication/request', { token })
    const { rows: history } = await portal.owner.query(
      `SELECT to_state FROM status_history WHERE machine = 'service_request' AND subject_id = $1 ORDER BY seq DESC LIMIT 1`,
      [id],
    )
    const inList = [...inbox.body.rows, ...spam.body.rows].find((row: { id: number }) => row.id === id)
    const status = desk.request.status
    expect(
      {
        page: theirs.status,
        mine: mine.body.requests.find((row: { id: number }) => row.id === id)?.status,
        inbox: inList?.status,
        history: Number(history[0]?.to_state),
      },
      numberOf(id),
    ).toEqual({ page: status, mine: status, inbox: status, history: status })
    expect(theirs.mergedInto, 'and into what it was merged').toBe(desk.request.mergedInto?.number ?? null)
  }
}

test(
  `whatever several people do at once, whoever asked sees the state that the desk sees (${RUNS} runs)`,
  async () => {
    const steps = fc.array(fc.array(deed, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(steps, async (moments) => {
        const sent: Sent[] = []
        for (let n = 0; n < REQUESTS; n++) sent.push(await send())
        for (const moment of moments) {
          const { rows } = await portal.owner.query(
            `SELECT id FROM work_order WHERE source_kind = 'request' AND source_id = ANY($1) ORDER BY id`,
            [sent.map(({ id }) => id)],
          )
          const orders = rows.map(({ id }) => Number(id))
          await Promise.all(moment.map((step) => happen(sent, orders, step)))
        }
        await expectOneTruth(sent)
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  },
  RUNS * 20_000,
)
