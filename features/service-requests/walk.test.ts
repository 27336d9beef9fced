import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { liftLimits } from '../../test/databases.ts'
import { type TestPortal, testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import type { CaseEntry } from '../../shared/cases.ts'
import { numberOf } from './rules.ts'

/**
 * Tests random concurrent actions of staff and requesters on requests, timelines, photos, followers and work orders.
 */

const MAPLE = 'maplegrove.localhost'
const RUNS = process.env['NIGHTLY'] ? 300 : 4
const REQUESTS = 3
/** Text that every internal note contains. No resident may see it. */
const SECRET = 'For staff alone'
const DESCRIPTION = 'A hole as wide as a wheel.'

let portal: TestPortal
let category = 0
let photo: Buffer
const people: Record<string, number> = {}
const tokens: Record<string, string> = {}

beforeAll(async () => {
  portal = await testPortal()
  const maple = await openTestCompany(portal, mapleGrove)
  await liftLimits(portal.owner)
  for (const role of ['admin', 'manager', 'resident', 'newcomer']) {
    const email = `${role}@maplegrove.example`
    tokens[role] = await portal.signIn(MAPLE, email)
    const { rows } = await portal.owner.query('SELECT id FROM person WHERE lower(email) = $1', [email])
    people[role] = Number(rows[0]?.id)
  }
  const { rows } = await portal.owner.query<{ id: number }>(
    `INSERT INTO request_category (company_id, name, target_days, needs_location) VALUES ($1, 'Pothole', 3, 0) RETURNING id`,
    [maple],
  )
  category = Number(rows[0]?.id)
  const image = await sharp({ create: { width: 6, height: 4, channels: 3, background: '#888888' } })
    .png()
    .toBuffer()
  const head =
    '--x\r\nContent-Disposition: form-data; name="file"; filename="hole.png"\r\nContent-Type: image/png\r\n\r\n'
  photo = Buffer.concat([Buffer.from(head), image, Buffer.from('\r\n--x--\r\n')])
})

const call = (path: string, body: object, role = '') =>
  portal.post(MAPLE, path, body, {
    ...(role && { token: tokens[role] ?? '' }),
    headers: { 'idempotency-key': randomUUID() },
  })

/** Uploads a photo that is not attached to a message yet. */
async function takePhoto(): Promise<string> {
  const response = await portal.app.inject({
    method: 'POST',
    url: '/api/v2/save/communication/file',
    headers: { host: MAPLE, 'content-type': 'multipart/form-data; boundary=x' },
    payload: photo,
  })
  return response.json().file_id
}

interface SentRequest {
  id: number
  /** Token that opens the page of the request. */
  token: string
  /** Public id that guests use to follow the request. */
  publicId: string
  email: string
}

async function send(): Promise<SentRequest> {
  const location = { text: 'At the school', addressId: null, lat: null, lon: null, metres: null }
  const email = `${randomUUID()}@example.org`
  const reportInput = { description: DESCRIPTION, name: 'Ann Lee', email, phone: '' }
  const response = await call(
    'send/communication/request',
    { ...reportInput, categoryId: category, version: 0, answers: {}, files: [], location },
    'resident',
  )
  expect(response.status, response.body.message).toBe(200)
  const { rows } = await portal.owner.query('SELECT id, public_id FROM service_request WHERE number = $1', [
    response.body.number,
  ])
  return { id: Number(rows[0].id), publicId: rows[0].public_id, token: response.body.token, email }
}

const one = fc.nat(REQUESTS - 1)
const staff = fc.constantFrom('admin', 'manager')
const event = fc.constantFrom('start', 'complete', 'reopen', 'invalidate')
const auditEntry = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('step' as const), of: one, actor: staff, event }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('order' as const), of: one, actor: staff }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('work' as const), nth: fc.nat(2), actor: staff, event }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('merge' as const), of: one, into: one, actor: staff }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('separate' as const), of: one, actor: staff }) },
  fc.record({ do: fc.constantFrom('split' as const, 'spam' as const, 'no spam' as const), of: one, actor: staff }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('judge' as const), of: one, fixed: fc.boolean() }) },
  fc.record({ do: fc.constant('cancel' as const), of: one }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('write' as const), of: one, photo: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('reply' as const, 'note' as const),
      of: one,
      actor: staff,
      photo: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('assign' as const), of: one, actor: staff, to: staff }),
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('follow' as const, 'stop' as const), of: one }) },
)
type WalkStep = typeof auditEntry extends fc.Arbitrary<infer T> ? T : never

/** Visibility and number of photos of each message. The key is the message's unique text. */
type MessageLog = Map<string, { id: number; isNote: boolean; photos: number }>

/** Runs a step. The portal may accept or refuse the step, but must not fail. */
async function happen(
  sent: readonly SentRequest[],
  orders: readonly number[],
  messageLog: MessageLog,
  step: WalkStep,
): Promise<void> {
  const response = await (() => {
    if (step.do === 'work') {
      const orderId = orders[step.nth % Math.max(orders.length, 1)] ?? 1
      return call('muni/change/work/order/status', { orderId, event: step.event, reason: 'It is so.' }, step.actor)
    }
    const subject = sent[step.of]
    if (!subject) throw new Error('there is no such request')
    return auditEntryOn(subject, sent, messageLog, step)
  })()
  expect([200, 400, 403, 404, 409, 422], `${step.do}: ${response.body.message}`).toContain(response.status)
}

async function auditEntryOn(
  subject: SentRequest,
  sent: readonly SentRequest[],
  messageLog: MessageLog,
  step: Exclude<WalkStep, { do: 'work' }>,
) {
  const { id: subjectId, token, publicId } = subject
  switch (step.do) {
    case 'step':
      return call('muni/change/communication/status', { subjectId, event: step.event, reason: 'It is so.' }, step.actor)
    case 'order': {
      const order = { title: 'Fill it', description: '', severity: '1', dueOn: '', withFiles: false }
      return call('muni/open/communication/work/order', { subjectId, ...order }, step.actor)
    }
    case 'merge':
      return call(
        'muni/merge/communication/request',
        { subjectId, into: numberOf(sent[step.into]?.id ?? 0) },
        step.actor,
      )
    case 'separate':
      return call('muni/separate/communication/request', { subjectId }, step.actor)
    case 'split': {
      const second = { categoryId: String(category), description: 'The curb beside it is broken, too.' }
      return call('muni/split/communication/request', { subjectId, ...second }, step.actor)
    }
    case 'spam':
    case 'no spam':
      return call('muni/mark/communication/spam', { subjectId, spam: step.do === 'spam' }, step.actor)
    case 'judge':
      return call('submit/communication/feedback', { token, isFixed: step.fixed, text: '' })
    case 'cancel':
      return call('cancel/communication/request', { token })
    case 'assign': {
      const { holder } = (await call('muni/return/communication/request', { subjectId }, step.actor)).body
      const from = { from: holder.personId, fromDepartment: holder.departmentId }
      return call(
        'muni/assign/request',
        { subjectId, personId: people[step.to], departmentId: null, ...from },
        step.actor,
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
      const response = await (step.do === 'write'
        ? call('send/requests/message', { token, ...body })
        : call(`muni/${step.do}/request`, { subjectId, ...body, seen: lastMessageId }, step.actor))
      if (response.status === 200) messageLog.set(text, { id: subjectId, isNote, photos: body.files.length })
      return response
    }
  }
}

/** Returns the photo ids of each message. The key is the message text. */
const photosByText = (entries: readonly CaseEntry[]) =>
  Object.fromEntries(
    entries
      .filter(({ kind }) => kind === 'message' || kind === 'reply' || kind === 'note')
      .map(({ text, files }) => [text, files.map(({ id }) => id).toSorted()]),
  )

/** Adds the requests that were split from these, because they also belong to the requester. */
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

/**
 * Expects that the requester, followers and staff, the inbox, the public list and the history all show the same data.
 */
async function expectOneTruth(sent: readonly SentRequest[], messageLog: MessageLog): Promise<void> {
  const ownRequests = await call('return/my/requests', {}, 'resident')
  const { followed } = (await call('return/my/requests', {}, 'newcomer')).body
  const inbox = await call('muni/return/communications', { filters: {}, pageSize: 100 }, 'admin')
  const spam = await call('muni/return/communications', { filters: { status: 'spam' }, pageSize: 100 }, 'admin')
  const { body: reported } = await call('return/communication/reported', {})
  for (const publicText of [JSON.stringify(reported), JSON.stringify(followed)])
    for (const hidden of [SECRET, DESCRIPTION, '@example.org']) expect(publicText).not.toContain(hidden)
  for (const { id, token, publicId, email } of sent) {
    const number = numberOf(id)
    const { body: staffView } = await call('muni/return/communication/request', { subjectId: id }, 'manager')
    const { body: requesterView } = await call('return/communication/request', { token })
    const { rows: history } = await portal.owner.query(
      `SELECT to_state FROM status_history WHERE machine = 'service_request' AND subject_id = $1 ORDER BY seq DESC LIMIT 1`,
      [id],
    )
    const inList = [...inbox.body.rows, ...spam.body.rows].find((row: { id: number }) => row.id === id)
    const status = staffView.request.status
    expect(
      {
        page: requesterView.status,
        own: ownRequests.body.requests.find((row: { id: number }) => row.id === id)?.status,
        inbox: inList?.status,
        history: Number(history[0]?.to_state),
      },
      number,
    ).toEqual({ page: status, own: status, inbox: status, history: status })
    expect(requesterView.mergedInto, 'and into what it was merged').toBe(staffView.request.mergedInto?.number ?? null)

    const { body: messages } = await call('return/requests/messages', { token })
    expect(JSON.stringify([messages, requesterView]), 'a note is nobody else’s').not.toContain(SECRET)
    const forEveryone = staffView.entries.filter(({ visibility }: CaseEntry) => visibility === 'everyone')
    expect(photosByText(messages.entries), 'whoever asked reads what the desk does, but for its notes').toEqual(
      photosByText(forEveryone),
    )
    const staffMessages = photosByText(staffView.entries)
    for (const [text, { id: of, photos }] of messageLog)
      if (of === id) expect(staffMessages[text], text).toHaveLength(photos)

    const publicRow = reported.rows.find((row: { publicId: string }) => row.publicId === publicId)
    const isPublic = !staffView.request.spam && status <= 3
    expect(publicRow?.status ?? 'hidden', `${number} on the public list`).toBe(isPublic ? status : 'hidden')
    const followedRow = followed.find((row: { number: string }) => row.number === number)
    if (followedRow) {
      const { body: page } = await call('return/communication/followed', { token: followedRow.path.split('/').at(-1) })
      const now = { status, mergedInto: requesterView.mergedInto }
      expect({ status: page.status, mergedInto: page.mergedInto }, `${number} as it is followed`).toEqual(now)
      expect(followedRow.status).toBe(status)
      expect(page.steps.at(-1)?.status).toBe(status)
    }
    // A split request has the same email address as its source request. Only the source request is checked, which
    // covers both.
    if (staffView.request.splits.every((other: { number: string }) => other.number > number))
      await expectToHear({ id, email, into: staffView.request.mergedInto?.id ?? null })
  }
}

/**
 * Expects that the requester of a merged request follows its target. If the request is not merged, the requester
 * follows no request.
 */
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
  `shows each person the data staff see, within their permissions (${RUNS} runs)`,
  async () => {
    const steps = fc.array(fc.array(auditEntry, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(steps, async (moments) => {
        const sent: SentRequest[] = []
        const messageLog: MessageLog = new Map()
        for (let n = 0; n < REQUESTS; n++) sent.push(await send())
        for (const moment of moments) {
          const { rows } = await portal.owner.query(
            `SELECT id FROM work_order WHERE source_kind = 'request' AND source_id = ANY($1) ORDER BY id`,
            [sent.map(({ id }) => id)],
          )
          const orders = rows.map(({ id }) => Number(id))
          await Promise.all(moment.map((step) => happen(sent, orders, messageLog, step)))
        }
        await expectOneTruth(await withTheirSplits(sent), messageLog)
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  },
  RUNS * 20_000,
)
