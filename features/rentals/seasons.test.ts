import { createHash, randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import type { CompanyId } from '../../server/tenancy.ts'
import { liftLimits } from '../../test/databases.ts'
import { type ApiResponse, testClock, testPortal } from '../../test/harness.ts'
import { openTestTown } from '../../test/town.ts'
import { drawOf } from './rules-lottery.ts'
import { giveOut, lookAfterRounds } from './server/allocate.ts'

/** Rounds of applications from their terms to the reservations that come of them. */

const TOWN = 'maplegrove.localhost'
const NOW = '2027-03-01T15:00:00.000Z'
const LATER = '2027-04-02T15:00:00.000Z'
const portal = await testPortal({ clock: testClock(NOW) })
const { owner, context } = portal
const tokens: Record<string, string> = {}
let company: CompanyId
let field: { id: number; spaces: number[] }

const at = async (time: string) => {
  portal.clock.set(time)
  for (const who of ['admin', 'resident', 'newcomer'])
    tokens[who] = await portal.signIn(TOWN, `${who}@maplegrove.example`)
}
beforeAll(async () => {
  company = await openTestTown(portal, mapleGrove)
  await liftLimits(owner)
})
beforeEach(async () => {
  await at(NOW)
  field = await aField()
})

const as = (who: string, path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(TOWN, path, body, { token: tokens[who] ?? '', headers: { 'idempotency-key': randomUUID() } })
async function given(answer: Promise<ApiResponse>) {
  const { status, body } = await answer
  expect({ status, message: body.message, details: body.details }).toMatchObject({ status: 200 })
  return body
}

let made = 0
async function aField(more: object = {}): Promise<{ id: number; spaces: number[] }> {
  const season = {
    from: '01-01',
    until: '12-31',
    days: [1, 2, 3, 4, 5, 6, 7],
    opens: '08:00',
    closes: '22:00',
    percent: 100,
  }
  const form = {
    ...{ name: `Field ${(made += 1)}`, kind: 'field', status: 'open', description: '', place: '', houseRules: '' },
    ...{ amenities: '', accessibility: '', capacity: 0, pieces: 1, needsApproval: false, seasons: [season] },
    ...{ closedOnHolidays: false, stepMinutes: 60, leastMinutes: 60, mostMinutes: 600, noticeHours: 0, aheadDays: 400 },
    ...{ beforeMinutes: 0, afterMinutes: 0, chargedBy: 'hour', residentCents: 1000, otherCents: 1000 },
    ...{
      depositCents: 0,
      addons: [],
      refundDays: 7,
      latePercent: 0,
      agreement: 'Leave it clean.',
      door: '',
      glAccount: '400',
    },
  }
  const { resourceId: id } = await given(as('admin', 'muni/add/rental/resource', { ...form, ...more }))
  const { spaces } = await given(as('admin', 'muni/return/rental/resource', { resourceId: id }))
  return { id, spaces: spaces.map((space: { id: number }) => space.id) }
}
const terms = (more: object = {}) => ({
  ...{ name: `Spring ${made}`, says: '', resourceIds: [field.id], seasonFrom: '2027-05-03', seasonUntil: '2027-06-27' },
  ...{ opensOn: '2027-03-01', closesOn: '2027-03-31', mostWishes: 3, mostHours: 6, who: 'everybody', payDays: 14 },
  ...{ groups: [], ...more },
})
async function aRound(more: object = {}): Promise<number> {
  const { roundId } = await given(as('admin', 'muni/add/rental/round', terms(more)))
  await given(as('admin', 'muni/move/rental/round', { roundId, event: 'open' }))
  return roundId
}
/** Mondays at six, unless said. */
const wish = (more: object = {}) => ({
  ...{ resourceId: field.id, spaceId: field.spaces[0], startsOn: '2027-05-03', from: '18:00', until: '20:00' },
  repeats: { unit: 'week', every: 1, weekdays: [1], by: 'day', until: '2027-06-27' },
  ...more,
})
const apply = (who: string, roundId: number, wishes: object[] = [wish()], more: object = {}) =>
  as(who, 'save/my/rental/application', {
    ...{ roundId, club: `Club of ${who}`, purpose: 'Practice', guests: 12, phone: '', agrees: true, wishes, ...more },
  })
const round = (roundId: number, who = 'resident') => given(as(who, 'return/rental/round', { roundId }))
const desk = (roundId: number) => given(as('admin', 'muni/return/rental/round', { roundId }))
const step = (roundId: number, event: string, reason?: string) =>
  as('admin', 'muni/move/rental/round', { roundId, event, reason })
async function drawn(roundId: number) {
  await at(LATER)
  await lookAfterRounds(context)
  await given(as('admin', 'muni/draw/rental/round', { roundId }))
}
async function confirmed(roundId: number) {
  await given(as('admin', 'muni/confirm/rental/round', { roundId }))
  await giveOut(context)
}
const mailsTo = async (email: string) =>
  (await portal.mails()).filter(({ to_address }) => to_address === email).map((mail) => JSON.stringify(mail))

describe('a round', () => {
  test('publishes the hash of its seed when it opens, and the seed of that hash when it is drawn', async () => {
    const { roundId } = await given(as('admin', 'muni/add/rental/round', terms()))
    expect((await as('resident', 'return/rental/round', { roundId })).status).toBe(404)
    await given(step(roundId, 'open'))
    const open = await round(roundId)
    expect(open).toMatchObject({ status: 'open', seed: '', seedHash: expect.stringMatching(/^[\da-f]{64}$/) })
    // Whoever reads the database does not read the seed.
    const { rows } = await owner.query('SELECT seed_sealed FROM rental_round WHERE id = $1', [roundId])
    await given(apply('resident', roundId))
    await drawn(roundId)
    const { seed, seedHash } = await round(roundId)
    expect(createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex')).toBe(open.seedHash)
    expect(seedHash).toBe(open.seedHash)
    expect(rows[0].seed_sealed).not.toContain(seed)
  })

  test('keeps its terms once it has opened', async () => {
    const roundId = await aRound()
    const { form } = await desk(roundId)
    expect((await as('admin', 'muni/save/rental/round', { ...form, roundId, mostHours: 20 })).body.code).toBe(
      'wrong_status',
    )
  })

  test('keeps its days from everybody else until it is confirmed, but not from staff', async () => {
    const roundId = await aRound()
    const days = async () =>
      (
        await given(
          as('resident', 'return/rental/days', {
            ...{ resourceId: field.id, spaceId: field.spaces[0], pieces: 1, from: '2027-05-03', days: 1 },
          }),
        )
      ).days[0].closedFor
    expect(await days()).toMatch(/^Given out by applications/)
    await given(
      as('admin', 'muni/book/rental', {
        ...{
          resourceId: field.id,
          spaceId: field.spaces[0],
          pieces: 1,
          day: '2027-05-04',
          from: '10:00',
          until: '12:00',
        },
        ...{ name: 'Phil', email: '', phone: '', purpose: 'Fair', guests: 1, isResident: true },
      }),
    )
    await given(step(roundId, 'cancel', 'The grass is sown anew.'))
    expect(await days()).toBe('')
  })

  test('closes by itself when its last day is over, or early with a reason that everybody reads', async () => {
    const [first, second] = [await aRound(), await aRound()]
    expect((await step(second, 'close')).status).toBe(422)
    await given(step(second, 'close', 'All fields are asked for.'))
    expect(await round(second)).toMatchObject({ status: 'closed', reason: 'All fields are asked for.' })
    portal.clock.set('2027-04-01T03:59:59.000Z')
    await lookAfterRounds(context)
    expect((await owner.query('SELECT status FROM rental_round WHERE id = $1', [first])).rows[0].status).toBe('open')
    portal.clock.set('2027-04-01T04:00:00.000Z')
    await lookAfterRounds(context)
    expect((await owner.query('SELECT status FROM rental_round WHERE id = $1', [first])).rows[0].status).toBe('closed')
  })

  test('that is cancelled gives nothing, and tells whoever applied why', async () => {
    const roundId = await aRound()
    await given(apply('resident', roundId))
    await given(step(roundId, 'cancel', 'The lights are broken.'))
    await giveOut(context)
    expect((await round(roundId)).mine.status).toBe('not_given')
    expect((await mailsTo('resident@maplegrove.example')).some((mail) => mail.includes('The lights are broken.'))).toBe(
      true,
    )
  })
})

describe('somebody who applies', () => {
  test('changes and withdraws until it closes, applies again, and nothing after that', async () => {
    const roundId = await aRound()
    await given(apply('resident', roundId))
    await given(apply('resident', roundId, [wish({ from: '19:00', until: '21:00' }), wish()], { club: 'Hawks' }))
    expect((await round(roundId)).mine).toMatchObject({
      ...{ status: 'submitted', club: 'Hawks' },
      wishes: [{ from: '19:00', is: 'waits' }, { from: '18:00' }],
    })
    await given(as('resident', 'withdraw/my/rental/application', { roundId }))
    expect(await round(roundId)).toMatchObject({ applications: 0, mine: { status: 'withdrawn' } })
    await given(apply('resident', roundId))
    expect(await round(roundId)).toMatchObject({ applications: 1, mine: { status: 'submitted' } })
    await at('2027-04-01T04:00:00.000Z')
    expect((await apply('resident', roundId)).body.code).toBe('closed')
    expect((await as('resident', 'withdraw/my/rental/application', { roundId })).body.code).toBe('closed')
    expect((await apply('newcomer', roundId)).body.code).toBe('closed')
  })

  test('is told which wish is not within the terms', async () => {
    const roundId = await aRound({ mostWishes: 2, mostHours: 3 })
    const says = async (wishes: object[]) => (await apply('resident', roundId, wishes)).body.message
    expect(await says([wish(), wish(), wish()])).toContain('2 wishes at most')
    expect(await says([wish(), wish({ until: '22:00' })])).toBe('Wish 2: Nobody is given more than 3 hours a week.')
    expect(await says([wish({ from: '05:00', until: '07:00' })])).toMatch(/Wish 1: None of its dates can be had/)
    expect(await says([wish({ startsOn: '2027-04-26' })])).toContain('within the season')
    const other = await aField()
    expect(await says([wish({ resourceId: other.id, spaceId: other.spaces[0] })])).toContain('in this round')
    expect((await round(roundId)).mine).toBeNull()
  })

  test('has to be a resident where the round is for residents', async () => {
    const roundId = await aRound({ who: 'residents' })
    expect((await apply('newcomer', roundId)).body.message).toContain('Link your utility account first')
  })

  test('sees what a wish comes to before it is sent: its dates, and those that are closed', async () => {
    const roundId = await aRound()
    await given(
      as('admin', 'muni/add/rental/blackout', {
        ...{ resourceId: field.id, from: '2027-05-10', until: '2027-05-10', reason: 'New lines' },
      }),
    )
    const { dates, minutesAWeek } = await given(as('resident', 'return/rental/wish', { roundId, ...wish() }))
    expect(dates).toHaveLength(8)
    expect(dates.filter(({ mistake }: { mistake: string }) => mistake)).toEqual([
      { day: '2027-05-10', mistake: expect.stringContaining('New lines') },
    ])
    expect(minutesAWeek).toBe(120)
  })
})

describe('the draw', () => {
  test('says of a wish that its own applicant’s earlier wish is in the way, not that somebody came before', async () => {
    const roundId = await aRound()
    await given(apply('resident', roundId, [wish(), wish({ from: '19:00', until: '21:00' })]))
    await drawn(roundId)
    const [mine] = (await desk(roundId)).drawn
    expect(mine).toMatchObject({
      given: [{ dates: expect.anything() }],
      missed: [{ why: expect.stringContaining('An earlier wish of the same application') }],
    })
  })

  test('gives one what both want first, is repeated by anybody, and is told with what was missed and why', async () => {
    const roundId = await aRound()
    for (const who of ['resident', 'newcomer'])
      await given(apply(who, roundId, [wish(), wish({ from: '20:00', until: '22:00' })]))
    expect((await as('admin', 'muni/draw/rental/round', { roundId })).body.code).toBe('wrong_status')
    await drawn(roundId)
    const shown = await desk(roundId)
    expect(shown.drawn.map(({ given: has }: { given: unknown[] }) => has.length)).toEqual([1, 1])
    expect(shown.drawn[0]).toMatchObject({
      given: [{ dates: Array.from({ length: 8 }, () => ({ mistake: '', totalCents: 2000 })), totalCents: 16_000 }],
      missed: [{ why: expect.stringContaining('came before in the draw') }],
    })
    const draw = await given(as('newcomer', 'return/rental/draw', { roundId }))
    expect(await drawOf(draw.seed, draw.inputs)).toEqual(draw.result)
    expect(JSON.stringify(draw)).not.toContain('Club')
    expect(await given(as('admin', 'muni/repeat/rental/draw', { roundId }))).toEqual({ isSame: true, isItsSeed: true })
    const { turns, mine } = await round(roundId)
    expect(turns.map(({ number }: { number: string }) => number)).toEqual(draw.result.order)
    expect(mine.status).toBe('submitted')
    // Nobody has anything before it is confirmed.
    const count = async () =>
      Number(
        (await owner.query('SELECT count(*) FROM rental_reservation WHERE resource_id = $1', [field.id])).rows[0].count,
      )
    expect(await count()).toBe(0)
    await confirmed(roundId)
    expect(await count()).toBe(16)
    const winner = draw.result.order[0] === mine.number ? 'resident' : 'newcomer'
    const after = await round(roundId, winner)
    expect(after.mine).toMatchObject({ status: 'given', wishes: [{ is: 'given' }, { is: 'missed' }] })
    expect(after.mine.wishes[0].days).toHaveLength(8)
    const { mine: theirs } = await given(as(winner, 'return/rentals'))
    const held = theirs.filter(({ resourceId }: { resourceId: number }) => resourceId === field.id)
    expect(held.map(({ status }: { status: string }) => status)).toEqual(Array.from({ length: 8 }, () => 'held'))
    expect(held[0].heldUntil).toBe('2027-04-16T15:00:00.000Z')
    const [mail = ''] = await mailsTo(`${winner}@maplegrove.example`).then((all) => all.slice(-1))
    expect(mail).toContain('8 dates, 18:00 – 20:00')
    expect(mail).toContain('Not given, your wish 2')
    expect(mail).toContain('$160.00')
    // Confirmed once: the job that comes again finds nothing to do.
    expect(await giveOut(context)).toBe(0)
    expect(await count()).toBe(16)
  })

  test('serves the group that comes first, which staff set before it is drawn and not after', async () => {
    const twice = await as('admin', 'muni/add/rental/round', terms({ groups: ['Youth leagues', 'youth leagues'] }))
    expect(JSON.stringify(twice.body)).toContain('Name each group once.')
    const roundId = await aRound({ groups: ['Youth leagues', 'Adult leagues'] })
    for (const who of ['resident', 'newcomer']) await given(apply(who, roundId))
    const { rows } = await given(as('admin', 'muni/return/rental/applications', { round: roundId }))
    const one = rows.find(({ club }: { club: string }) => club === 'Club of newcomer')
    expect((await as('admin', 'muni/group/rental/application', { applicationId: one.id, group: 3 })).status).toBe(422)
    await given(as('admin', 'muni/group/rental/application', { applicationId: one.id, group: 1 }))
    await drawn(roundId)
    expect((await round(roundId)).turns).toMatchObject([
      { number: one.number, group: 1, given: [1] },
      { group: 3, given: [] },
    ])
    expect((await as('admin', 'muni/group/rental/application', { applicationId: one.id, group: 2 })).body.code).toBe(
      'drawn',
    )
  })

  test('leaves out what staff took out of it with a reason, who is told', async () => {
    const roundId = await aRound()
    for (const who of ['resident', 'newcomer']) await given(apply(who, roundId))
    const { rows } = await given(as('admin', 'muni/return/rental/applications', { round: roundId }))
    const one = rows.find(({ club }: { club: string }) => club === 'Club of newcomer')
    const out = (reason?: string) =>
      as('admin', 'muni/move/rental/application', { applicationId: one.id, event: 'exclude', reason })
    expect((await out()).status).toBe(422)
    await given(out('The club applied twice.'))
    expect(
      (await mailsTo('newcomer@maplegrove.example')).some((mail) => mail.includes('The club applied twice.')),
    ).toBe(true)
    expect((await apply('newcomer', roundId)).body.message).toContain('left your application out')
    await drawn(roundId)
    expect((await round(roundId)).turns).toHaveLength(1)
  })

  test('leaves out dates that are reserved before it, and what staff reserved between draw and confirmation', async () => {
    field = await aField({ residentCents: 0, otherCents: 0 })
    const roundId = await aRound()
    const phone = (day: string) =>
      given(
        as('admin', 'muni/book/rental', {
          ...{ resourceId: field.id, spaceId: field.spaces[0], pieces: 1, day, from: '18:00', until: '20:00' },
          ...{ name: 'Phil', email: '', phone: '', purpose: 'Fair', guests: 1, isResident: true },
        }),
      )
    await given(apply('resident', roundId))
    await phone('2027-05-10')
    await drawn(roundId)
    const dates = async () => (await desk(roundId)).drawn[0].given[0].dates
    const wrong = async () =>
      (await dates()).filter(({ mistake }: { mistake: string }) => mistake).map(({ day }: { day: string }) => day)
    expect(await wrong()).toEqual(['2027-05-10'])
    await phone('2027-05-17')
    expect(await wrong()).toEqual(['2027-05-10', '2027-05-17'])
    await confirmed(roundId)
    expect((await dates()).map(({ day }: { day: string }) => day)).toEqual([
      ...['2027-05-03', '2027-05-24', '2027-05-31', '2027-06-07', '2027-06-14', '2027-06-21'],
    ])
    expect((await mailsTo('resident@maplegrove.example')).at(-1)).toContain('Without May 10, 2027, May 17, 2027')
  })

  test('is kept for good: nobody changes or draws it again', async () => {
    const roundId = await aRound()
    await given(apply('resident', roundId))
    await drawn(roundId)
    expect((await as('admin', 'muni/draw/rental/round', { roundId })).body.code).toBe('wrong_status')
    await expect(
      context.inCompany(company, (tx) =>
        tx.updateTable('rental_draw').set({ seed: 'other' }).where('round_id', '=', roundId).execute(),
      ),
    ).rejects.toThrow(/permission denied/)
  })
})
