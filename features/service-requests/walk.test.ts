import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { type TestPortal, testPortal } from '../../test/harness.ts'
import { openTestTown } from '../../test/town.ts'
import type { CaseEntry } from '../../shared/cases.ts'
import { numberOf } from './rules.ts'

/**
 * Requests, their conversations, photos, followers and work orders under several of the staff and those who asked, all at once
 * and at random.
 */

const MAPLE = 'maplegrove.localhost'
const RUNS = process.env['NIGHTLY'] ? 300 : 4
const REQUESTS = 3
/** Stands in whatever staff note for themselves. */
const SECRET = 'For staff alone'
const DESCRIPTION = 'A hole as wide as a wheel.'

let portal: TestPortal
let category = 0
let photo: Buffer
const people: Record<string, number> = {}
const tokens: Record<string, string> = {}

beforeAll(async () => {
  portal = await testPortal()
  const maple = await openTestTown(portal, mapleGrove)
  await liftLimits(portal.owner)
  for (const who of ['admin', 'manager', 'resident', 'newcomer']) {
    const email = `${who}@maplegrove.example`
    tokens[who] = await portal.signIn(MAPLE, email)
    const { rows } = await portal.owner.query('SELECT id FROM person WHERE lower(email) = $1', [email])
    people[who] = Number(rows[0]?.id)
  }
  const { rows } = await portal.owner.query<{ id: number }>(
    `INSERT INTO request_category (company_id, name, target_days, needs_place) VALUES ($1, 'Pothole', 3, 0) RETURNING id`,
    [maple],
  )
  category = Number(rows[0]?.id)
  const picture = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#888888' } })
    .png()
    .toBuffer()
  const head =
    '--x\r\nContent-Disposition: form-data; name="file"; filename="hole.png"\r\nContent-Type: image/png\r\n\r\n'
  photo = Buffer.concat([Buffer.from(head), picture, Buffer.from('\r\n--x--\r\n')])
})

const call = (path: string, body: object, who = '') =>
  portal.post(MAPLE, path, body, {
    ...(who && { token: tokens[who] ?? '' }),
    headers: { 'idempotency-key': randomUUID() },
  })

/** A photo that is on the server and in no message yet. */
async function takePhoto(): Promise<string> {
  const answer = await portal.app.inject({
    method: 'POST',
    url: '/api/v2/save/communication/file',
    headers: { host: MAPLE, 'content-type': 'multipart/form-data; boundary=x' },
    payload: photo,
  })
  return answer.json().file_id
}

interface SentRequest {
  id: number
  /** Of its page. */
  token: string
  /** By which those who have no account follow it. */
  publicId: string
  email: string
}

async function send(): Promise<SentRequest> {
  const place = { text: 'At the school', addressId: null, lat: null, lon: null, metres: null }
  const email = `${randomUUID()}@example.org`
  const told = { description: DESCRIPTION, name: 'Ann Lee', email, phone: '' }
  const answer = await call(
    'send/communication/request',
    { ...told, categoryId: category, version: 0, answers: {}, files: [], place },
    'resident',
  )
  expect(answer.status, answer.body.message).toBe(200)
  const { rows } = await portal.owner.query('SELECT id, public_id FROM service_request WHERE number = $1', [
    answer.body.number,
  ])
  return { id: Number(rows[0].id), publicId: rows[0].public_id, token: answer.body.token, email }
}

const one = fc.nat(REQUESTS - 1)
const staff = fc.constantFrom('admin', 'manager')
const event = fc.constantFrom('start', 'complete', 'reopen', 'invalidate')
const auditEntry = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('step' as const), of: one, who: staff, event }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('order' as const), of: one, who: staff }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('work' as const), nth: fc.nat(2), who: staff, event }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('merge' as const), of: one, into: one, who: staff }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('separate' as const), of: one, who: staff }) },
  fc.record({ do: fc.constantFrom('split' as const, 'spam' as const, 'no spam' as const), of: one, who: staff }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('judge' as const), of: one, mended: fc.boolean() }) },
  fc.record({ do: fc.constant('cancel' as const), of: one }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('write' as const), of: one, photo: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('reply' as const, 'note' as const),
      of: one,
      who: staff,
      photo: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('assign' as const), of: one, who: staff, to: staff }),
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('follow' as const, 'stop' as const), of: one }) },
)
type Deed = typeof auditEntry extends fc.Arbitrary<infer T> ? T : never

/** What was said of the requests, by its text, which nothing else has: whose eyes it is for, and how many photos go with it. */
type MessageLog = Map<string, { id: number; isNote: boolean; photos: number }>

/** Done or refused: never a failure. */
async function happen(
  sent: readonly SentRequest[],
  orders: readonly number[],
  said: MessageLog,
  step: Deed,
): Promise<void> {
  const answer = await (() => {
    if (step.do === 'work') {
      const orderId = orders[step.nth % Math.max(orders.length, 1)] ?? 1
      return call('muni/change/work/order/status', { orderId, event: step.event, reason: 'It is so.' }, step.who)
    }
    const subject = sent[step.of]
    if (!subject) throw new Error('there is no such request')
    return auditEntryOn(subject, sent, said, step)
  })()
  expect([200, 400, 403, 404, 409, 422], `${step.do}: ${answer.body.message}`).toContain(answer.status)
}

async function auditEntryOn(
  subject: SentRequest,
  sent: readonly SentRequest[],
  said: MessageLog,
  step: Exclude<Deed, { do: 'work' }>,
) {
  const { id: subjectId, token, publicId } = subject
  switch (step.do) {
    case 'step':
      return call('muni/change/communication/status', { subjectId, event: step.event, reason: 'It is so.' }, step.who)
    case 'order': {
      const order = { title: 'Fill it', description: '', severity: '1', dueOn: '', withFiles: false }
      return call('muni/open/communication/work/order', { subjectId, ...order }, step.who)
    }
    case 'merge':
      return call('muni/merge/communication/request', { subjectId, into: numberOf(sent[step.into]?.id ?? 0) }, step.who)
    case 'separate':
      return call('muni/separate/communication/request', { subjectId }, step.who)
    case 'split': {
      const second = { categoryId: String(category), description: 'The curb beside it is broken, too.' }
      return call('muni/split/communication/request', { subjectId, ...second }, step.who)
    }
    case 'spam':
    case 'no spam':
      return call('muni/mark/communication/spam', { subjectId, spam: step.do === 'spam' }, step.who)
    case 'judge':
      return call('judge/communication/request', { token, isMended: step.mended, words: '' })
    case 'cancel':
      return call('cancel/communication/request', { token })
    case 'assign': {
      const { holder } = (await call('muni/return/communication/request', { subjectId }, step.who)).body
      const from = { from: holder.personId, fromDepartment: holder.departmentId }
      return call(
        'muni/assign/request',
        { subjectId, personId: people[step.to], departmentId: null, ...from },
        step.who,
      )
    }
    case 'follow':
      return call('follow/communication/request', { publicId }, 'newcomer')
    case 'stop': {
      const { followed } = (await call('return/my/requests', {}, 'newcomer')).body
      const path = followed.find(({ number }: { number: string }) => number === numberOf(subjectId))?.path
      return call('change/communication/following', { token: path?.split('/').at(-1) ?? '', follow: false })
    }
    case 'write':
    case 'reply':
    case 'note': {
      const isNote = step.do === 'note'
      const text = `${isNote ? SECRET : 'Said'} ${randomUUID()}`
      const body = { message: text, files: step.photo ? [await takePhoto()] : [] }
      const { lastMessageId } = (await call('muni/return/communication/request', { subjectId }, 'admin')).body
      const answer = await (step.do === 'write'
        ? call('send/requests/message', { token, ...body })
        : call(`muni/${step.do}/request`, { subjectId, ...body, seen: lastMessageId }, step.who))
      if (answer.status === 200) said.set(text, { id: subjectId, isNote, photos: body.files.length })
      return answer
    }
  }
}

/** What stands in a conversation by its text: how many photos go with it. */
const wordsOf = (entries: readonly CaseEntry[]) =>
  Object.fromEntries(
    entries
      .filter(({ kind }) => kind === 'message' || kind === 'reply' || kind === 'note')
      .map(({ text, files }) => [text, files.map(({ id }) => id).toSorted()]),
  )

/** A request that was split off is its requester's as well. */
async function withTheirSplits(sent: readonly SentRequest[]): Promise<SentRequest[]> {
  const { rows } = await portal.owner.query(
    'SELECT id, public_id, email FROM service_request WHERE split_from = ANY($1) ORDER BY id',
    [sent.map(({ id }) => id)],
  )
  const split: SentRequest[] = []
  for (const { id, public_id, email } of rows) {
    const { token } = (await call('open/my/request', { requestId: Number(id) }, 'resident')).body
    split.push({ id: Number(id), publicId: public_id, email, token })
  }
  return [...sent, ...split]
}

/** Whoever asked, whoever follows, the desk, the inbox, the public list and the history say the same. */
async function expectOneTruth(sent: readonly SentRequest[], said: MessageLog): Promise<void> {
  const mine = await call('return/my/requests', {}, 'resident')
  const { followed } = (await call('return/my/requests', {}, 'newcomer')).body
  const inbox = await call('muni/return/communications', { filters: {}, pageSize: 100 }, 'admin')
  const spam = await call('muni/return/communications', { filters: { status: 'spam' }, pageSize: 100 }, 'admin')
  const { body: reported } = await call('return/communication/reported', {})
  for (const told of [JSON.stringify(reported), JSON.stringify(followed)])
    for (const hidden of [SECRET, DESCRIPTION, '@example.org']) expect(told).not.toContain(hidden)
  for (const { id, token, publicId, email } of sent) {
    const number = numberOf(id)
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
      number,
    ).toEqual({ page: status, mine: status, inbox: status, history: status })
    expect(theirs.mergedInto, 'and into what it was merged').toBe(desk.request.mergedInto?.number ?? null)

    const { body: talk } = await call('return/requests/conversation', { token })
    expect(JSON.stringify([talk, theirs]), 'a note is nobody else’s').not.toContain(SECRET)
    const forEveryone = desk.entries.filter(({ visibility }: CaseEntry) => visibility === 'everyone')
    expect(wordsOf(talk.entries), 'whoever asked reads what the desk does, but for its notes').toEqual(
      wordsOf(forEveryone),
    )
    const ofDesk = wordsOf(desk.entries)
    for (const [text, { id: of, photos }] of said) if (of === id) expect(ofDesk[text], text).toHaveLength(photos)

    const shown = reported.rows.find((row: { publicId: string }) => row.publicId === publicId)
    const isPublic = !desk.request.spam && status <= 3
    expect(shown?.status ?? 'hidden', `${number} on the public list`).toBe(isPublic ? status : 'hidden')
    const news = followed.find((row: { number: string }) => row.number === number)
    if (news) {
      const { body: page } = await call('return/communication/followed', { token: news.path.split('/').at(-1) })
      const now = { status, mergedInto: theirs.mergedInto }
      expect({ status: page.status, mergedInto: page.mergedInto }, `${number} as it is followed`).toEqual(now)
      expect(news.status).toBe(status)
      expect(page.steps.at(-1)?.status).toBe(status)
    }
    // What was split off has the address of what it was split from, which hears for both.
    if (desk.request.splits.every((other: { number: string }) => other.number > number))
      await expectToHear({ id, email, into: desk.request.mergedInto?.id ?? null })
  }
}

/** Whose request was merged hears of the other one, and of no other since it stands for itself again. */
async function expectToHear({ id, email, into }: { id: number; email: string; into: number | null }): Promise<void> {
  const { rows } = await portal.owner.query(
    `SELECT request_id FROM request_follower WHERE lower(email) = $1 AND verified_at IS NOT NULL AND stopped_at IS NULL`,
    [email],
  )
  const hearsOf = rows.map(({ request_id }) => Number(request_id))
  if (into !== null) expect(hearsOf, `${numberOf(id)} was merged`).toContain(into)
  else expect(hearsOf, `${numberOf(id)} stands for itself`).toEqual([])
}

test(
  `whatever several people do at once, each sees of a request what the desk sees, and only what they may (${RUNS} runs)`,
  async () => {
    const steps = fc.array(fc.array(auditEntry, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(steps, async (moments) => {
        const sent: SentRequest[] = []
        const said: MessageLog = new Map()
        for (let n = 0; n < REQUESTS; n++) sent.push(await send())
        for (const moment of moments) {
          const { rows } = await portal.owner.query(
            `SELECT id FROM work_order WHERE source_kind = 'request' AND source_id = ANY($1) ORDER BY id`,
            [sent.map(({ id }) => id)],
          )
          const orders = rows.map(({ id }) => Number(id))
          await Promise.all(moment.map((step) => happen(sent, orders, said, step)))
        }
        await expectOneTruth(await withTheirSplits(sent), said)
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  },
  RUNS * 20_000,
)
