import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { blankField, blankStep, whenAll } from '../shared/fields/blank.ts'
import { liftLimits } from './databases.ts'
import { type ApiResponse, testClock, testPortal } from './harness.ts'
import { openTestCompany } from './company.ts'

/** Fixture for the tests of rentals, rental seasons and rental access. */

export const HOST = 'maplegrove.localhost'
export const NOW = '2027-03-01T15:00:00.000Z'
const PEOPLE = ['admin', 'staff', 'resident', 'newcomer'] as const

export const EVERY_DAY = {
  ...{ from: '01-01', until: '12-31', days: [1, 2, 3, 4, 5, 6, 7] },
  ...{ opens: '00:00', closes: '24:00', percent: 100 },
}
/** Form values of a free hall that is always open, without questions, approval or advance notice. */
const resourceForm = {
  ...{
    kind: 'hall',
    status: 'open',
    description: '',
    location: '',
    resourceRules: '',
    amenities: '',
    accessibility: '',
  },
  ...{ capacity: 0, pieces: 1, needsApproval: false, seasons: [EVERY_DAY], closedOnHolidays: false, stepMinutes: 60 },
  ...{ minMinutes: 60, maxMinutes: 600, noticeHours: 0, aheadDays: 400, beforeMinutes: 0, afterMinutes: 0 },
  ...{ chargedBy: 'hour', residentCents: 0, otherCents: 0, depositCents: 0, addons: [], refundDays: 7, latePercent: 0 },
  ...{ agreement: '', door: '', glAccount: '400', certificateFrom: null },
}
/** Settings of a resource that costs $70.00 for two hours, including the security deposit. */
export const PAID = {
  ...{ kind: 'pavilion', capacity: 80, residentCents: 1000, otherCents: 1000, depositCents: 5000 },
  agreement: 'Leave it as you found it.',
}

export interface TestResource {
  id: number
  /** Ids of the resource's spaces. The space for the whole resource is first. */
  spaces: number[]
}

/** Starts a portal for the company Maple Grove. `defaults` are the default settings of resources that the test adds. */
export async function openRentals(defaults: object = {}) {
  const portal = await testPortal({ clock: testClock(NOW) })
  const company = await openTestCompany(portal, mapleGrove)
  await liftLimits(portal.owner)
  const tokens: Record<string, string> = {}
  let made = 0

  /** Signs everyone in again, because sessions may have expired when the test moved the clock. */
  async function signIn(): Promise<void> {
    for (const role of PEOPLE) tokens[role] = await portal.signIn(HOST, `${role}@maplegrove.example`)
  }
  const signInAt = (time: string = NOW): Promise<void> => {
    portal.clock.set(time)
    return signIn()
  }
  const as = (role: string, path: string, body: object = {}): Promise<ApiResponse> =>
    portal.post(HOST, path, body, { token: tokens[role] ?? '', headers: { 'idempotency-key': randomUUID() } })

  /** Adds a resource with a separate space for each of its `parts`. */
  async function addResource(more: object = {}, parts: readonly string[] = [], percent = 60): Promise<TestResource> {
    const form = { ...resourceForm, name: `Place ${(made += 1)}`, ...defaults, ...more }
    const { resourceId: id } = await expectOk(as('admin', 'muni/add/rental/resource', form))
    for (const name of parts)
      await expectOk(as('admin', 'muni/add/rental/space', { resourceId: id, name, pricePercent: percent }))
    const { spaces } = await expectOk(as('admin', 'muni/return/rental/resource', { resourceId: id }))
    return { id, spaces: spaces.map((space: { id: number }) => space.id) }
  }

  /**
   * Adds a resource. Returns its id and the space for the whole resource, in the form that reservation requests send.
   */
  async function addHall(more: object = {}) {
    const { id, spaces } = await addResource(more)
    return { resourceId: id, spaceId: spaces[0] ?? 0, pieces: 1 }
  }
  async function addHallWithQuestions(more: object = {}) {
    const hall = await addHall(more)
    await publishQuestions(hall.resourceId)
    return hall
  }

  /** Sends a file together with form fields. */
  async function send(
    role: string,
    path: string,
    fields: Record<string, string>,
    content: Buffer,
  ): Promise<ApiResponse> {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', new Blob([new Uint8Array(content)]), 'file.jpg')
    const sent = new Response(form)
    const response = await portal.app.inject({
      ...{ method: 'POST', url: `/api/v2/${path}`, payload: Buffer.from(await sent.arrayBuffer()) },
      headers: {
        ...{ host: HOST, 'content-type': sent.headers.get('content-type') ?? '' },
        authorization: `Bearer ${tokens[role] ?? ''}`,
      },
    })
    return { status: response.statusCode, body: response.json(), headers: response.headers }
  }

  /** Publishes questions for a resource. @returns their version */
  async function publishQuestions(resourceId: number, definition: object = questions): Promise<number> {
    await expectOk(as('admin', 'muni/save/rental/fields', { resourceId, definition }))
    return (await expectOk(as('admin', 'muni/publish/rental/fields', { resourceId, definition }))).version
  }

  return {
    ...{ portal, owner: portal.owner, context: portal.context, company },
    ...{ signIn, signInAt, as, addResource, addHall, addHallWithQuestions, send, publishQuestions },
  }
}

export async function expectOk(response: Promise<ApiResponse>) {
  const { status, body } = await response
  expect({ status, message: body.message, details: body.details }).toMatchObject({ status: 200 })
  return body
}

/** Request body of a resident's reservation, without its time and price. */
export const reservationBody = ({ id, spaces }: TestResource, more: object = {}) => ({
  ...{ resourceId: id, spaceId: spaces[0], pieces: 1, addons: [], purpose: 'Reunion', guests: 20, phone: '' },
  ...{ agrees: true, quotedCents: 0 },
  ...more,
})

/** Questions with a condition, and an agreement to sign. */
export const questions = {
  steps: [
    {
      ...blankStep('event'),
      title: 'Event',
      fields: [
        {
          ...blankField('choice', 'alcohol'),
          ...{ label: 'Will there be alcohol?', required: true },
          options: [
            { value: 'yes', label: 'Yes, some' },
            { value: 'no', label: 'None' },
          ],
        },
        {
          ...blankField('text', 'server'),
          ...{ label: 'Who serves it?', required: true, showWhen: whenAll({ '==': [{ var: 'alcohol' }, 'yes'] }) },
        },
        { ...blankField('reading', 'terms'), label: 'Agreement', text: 'I leave it clean.' },
        { ...blankField('signature', 'signature'), label: 'Signature', required: true },
      ],
    },
  ],
}
export const SIGNED = { alcohol: 'yes', server: 'Corner Catering', signature: { typed: 'Naomi Whitaker' } }
/** Signed answers to `questions`, as reservation requests send them. */
export const agreement = (answers: object = SIGNED, version = 1) => ({ agreement: { version, answers } })

/** Request body of a reservation that staff enter for a resident on the phone. */
export const byPhone = (hall: object, more: object = {}) => ({
  ...{
    ...hall,
    name: 'Ann Caller',
    email: 'ann@example.org',
    phone: '',
    purpose: 'Party',
    guests: 5,
    isResident: true,
  },
  ...{ day: '2027-03-13', from: '10:00', until: '12:00' },
  ...more,
})
