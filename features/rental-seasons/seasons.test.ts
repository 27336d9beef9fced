import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { EVERY_DAY, expectOk, NOW, openRentals, type TestResource } from '../../test/rentals.ts'
import { lotteryOf } from './rules.ts'
import { allocate, reviewRounds } from './server/allocate.ts'

/** Tests allocation rounds from their terms to the resulting reservations. */

const LATER = '2027-04-02T15:00:00.000Z'
const { portal, owner, context, company, as, signInAt, addResource } = await openRentals({
  seasons: [{ ...EVERY_DAY, opens: '08:00', closes: '22:00' }],
  ...{ kind: 'field', residentCents: 1000, otherCents: 1000, agreement: 'Leave it clean.' },
})
let made = 0
let field: TestResource

beforeEach(async () => {
  await signInAt(NOW)
  field = await aField()
})

async function aField(more: object = {}): Promise<TestResource> {
  made += 1
  return addResource({ name: `Field ${made}`, ...more })
}
const terms = (more: object = {}) => ({
  ...{ name: `Spring ${made}`, text: '', resourceIds: [field.id], seasonFrom: '2027-05-03', seasonUntil: '2027-06-27' },
  ...{ opensOn: '2027-03-01', closesOn: '2027-03-31', maxChoices: 3, maxHours: 6, audience: 'everybody', payDays: 14 },
  ...{ groups: [], ...more },
})
async function aRound(more: object = {}): Promise<number> {
  const { roundId } = await expectOk(as('admin', 'muni/add/rental/round', terms(more)))
  await expectOk(as('admin', 'muni/transition/rental/round', { roundId, event: 'open' }))
  return roundId
}
/** Builds a choice. The default is Mondays at 18:00. */
const choiceInput = (more: object = {}) => ({
  ...{ resourceId: field.id, spaceId: field.spaces[0], startsOn: '2027-05-03', from: '18:00', until: '20:00' },
  repeats: { unit: 'week', every: 1, weekdays: [1], by: 'day', until: '2027-06-27' },
  ...more,
})
const apply = (role: string, roundId: number, choices: object[] = [choiceInput()], more: object = {}) =>
  as(role, 'save/my/rental/application', {
    ...{
      roundId,
      club: `Club of ${role}`,
      purpose: 'Practice',
      guests: 12,
      phone: '',
      agrees: true,
      rankedChoices: choices,
      ...more,
    },
  })
const round = (roundId: number, role = 'resident') => expectOk(as(role, 'return/rental/round', { roundId }))
const staffRound = (roundId: number) => expectOk(as('admin', 'muni/return/rental/round', { roundId }))
const step = (roundId: number, event: string, reason?: string) =>
  as('admin', 'muni/transition/rental/round', { roundId, event, reason })
async function runLottery(roundId: number) {
  await signInAt(LATER)
  await reviewRounds(context)
  await expectOk(as('admin', 'muni/run/rental/lottery', { roundId }))
}
async function confirmed(roundId: number) {
  await expectOk(as('admin', 'muni/confirm/rental/round', { roundId }))
  await allocate(context)
}
const emailsTo = async (email: string) =>
  (await portal.emails())
    .filter(({ to_address }) => to_address === email)
    .map((emailMessage) => JSON.stringify(emailMessage))

describe('allocation round', () => {
  test('publishes the seed’s hash on opening and the seed after the lottery', async () => {
    const { roundId } = await expectOk(as('admin', 'muni/add/rental/round', terms()))
    expect((await as('resident', 'return/rental/round', { roundId })).status).toBe(404)
    await expectOk(step(roundId, 'open'))
    const open = await round(roundId)
    expect(open).toMatchObject({ status: 'open', seed: '', seedHash: expect.stringMatching(/^[\da-f]{64}$/) })
    // The seed is encrypted, so it is not readable in the database.
    const { rows } = await owner.query('SELECT seed_sealed FROM rental_round WHERE id = $1', [roundId])
    await expectOk(apply('resident', roundId))
    await runLottery(roundId)
    const { seed, seedHash } = await round(roundId)
    expect(createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex')).toBe(open.seedHash)
    expect(seedHash).toBe(open.seedHash)
    expect(rows[0].seed_sealed).not.toContain(seed)
  })

  test('does not change its terms after it opened', async () => {
    const roundId = await aRound()
    const { form } = await staffRound(roundId)
    expect((await as('admin', 'muni/save/rental/round', { ...form, roundId, maxHours: 20 })).body.code).toBe(
      'wrong_status',
    )
  })

  test('reserves its days for applicants, except from staff, until confirmation', async () => {
    const roundId = await aRound()
    const days = async () =>
      (
        await expectOk(
          as('resident', 'return/rental/days', {
            ...{ resourceId: field.id, spaceId: field.spaces[0], pieces: 1, from: '2027-05-03', days: 1 },
          }),
        )
      ).days[0].closedFor
    expect(await days()).toMatch(/^Reserved for season applications/)
    await expectOk(
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
    await expectOk(step(roundId, 'cancel', 'The grass is sown anew.'))
    expect(await days()).toBe('')
  })

  test('closes automatically on time, or early with a public reason', async () => {
    const [first, second] = [await aRound(), await aRound()]
    expect((await step(second, 'close')).status).toBe(422)
    await expectOk(step(second, 'close', 'All fields are asked for.'))
    expect(await round(second)).toMatchObject({ status: 'closed', reason: 'All fields are asked for.' })
    portal.clock.set('2027-04-01T03:59:59.000Z')
    await reviewRounds(context)
    expect((await owner.query('SELECT status FROM rental_round WHERE id = $1', [first])).rows[0].status).toBe('open')
    portal.clock.set('2027-04-01T04:00:00.000Z')
    await reviewRounds(context)
    expect((await owner.query('SELECT status FROM rental_round WHERE id = $1', [first])).rows[0].status).toBe('closed')
  })

  test('allocates nothing after a cancellation and tells applicants the reason', async () => {
    const roundId = await aRound()
    await expectOk(apply('resident', roundId))
    await expectOk(step(roundId, 'cancel', 'The lights are broken.'))
    await allocate(context)
    expect((await round(roundId)).own.status).toBe('not_allocated')
    expect(
      (await emailsTo('resident@maplegrove.example')).some((emailMessage) =>
        emailMessage.includes('The lights are broken.'),
      ),
    ).toBe(true)
  })
})

describe('applicant', () => {
  test('can change, withdraw and apply again only until the round closes', async () => {
    const roundId = await aRound()
    await expectOk(apply('resident', roundId))
    await expectOk(
      apply('resident', roundId, [choiceInput({ from: '19:00', until: '21:00' }), choiceInput()], { club: 'Hawks' }),
    )
    expect((await round(roundId)).own).toMatchObject({
      ...{ status: 'submitted', club: 'Hawks' },
      rankedChoices: [{ from: '19:00', is: 'waits' }, { from: '18:00' }],
    })
    await expectOk(as('resident', 'withdraw/my/rental/application', { roundId }))
    expect(await round(roundId)).toMatchObject({ applications: 0, own: { status: 'withdrawn' } })
    await expectOk(apply('resident', roundId))
    expect(await round(roundId)).toMatchObject({ applications: 1, own: { status: 'submitted' } })
    await signInAt('2027-04-01T04:00:00.000Z')
    expect((await apply('resident', roundId)).body.code).toBe('closed')
    expect((await as('resident', 'withdraw/my/rental/application', { roundId })).body.code).toBe('closed')
    expect((await apply('newcomer', roundId)).body.code).toBe('closed')
  })

  test('learns which choice violates the terms', async () => {
    const roundId = await aRound({ maxChoices: 2, maxHours: 3 })
    const applyMessage = async (choices: object[]) => (await apply('resident', roundId, choices)).body.message
    expect(await applyMessage([choiceInput(), choiceInput(), choiceInput()])).toContain('up to 2 choices')
    expect(await applyMessage([choiceInput(), choiceInput({ until: '22:00' })])).toBe(
      'Choice 2: You can request up to 3 hours a week.',
    )
    expect(await applyMessage([choiceInput({ from: '05:00', until: '07:00' })])).toMatch(
      /Choice 1: None of these dates are available/,
    )
    expect(await applyMessage([choiceInput({ startsOn: '2027-04-26' })])).toContain('within the season')
    const other = await aField()
    expect(await applyMessage([choiceInput({ resourceId: other.id, spaceId: other.spaces[0] })])).toContain(
      'in this application round',
    )
    expect((await round(roundId)).own).toBeNull()
  })

  test('must be a resident if the round requires it', async () => {
    const roundId = await aRound({ audience: 'residents' })
    expect((await apply('newcomer', roundId)).body.message).toContain('Link your utility account first')
  })

  test('previews the dates of a choice with closed ones', async () => {
    const roundId = await aRound()
    await expectOk(
      as('admin', 'muni/add/rental/blackout', {
        ...{ resourceId: field.id, from: '2027-05-10', until: '2027-05-10', reason: 'New lines' },
      }),
    )
    const { dates, minutesAWeek } = await expectOk(
      as('resident', 'return/rental/choice', { roundId, ...choiceInput() }),
    )
    expect(dates).toHaveLength(8)
    expect(dates.filter(({ mistake }: { mistake: string }) => mistake)).toEqual([
      { day: '2027-05-10', mistake: expect.stringContaining('New lines') },
    ])
    expect(minutesAWeek).toBe(120)
  })
})

describe('lottery', () => {
  test('explains that an earlier choice of the applicant conflicts', async () => {
    const roundId = await aRound()
    await expectOk(apply('resident', roundId, [choiceInput(), choiceInput({ from: '19:00', until: '21:00' })]))
    await runLottery(roundId)
    const [ownResult] = (await staffRound(roundId)).results
    expect(ownResult).toMatchObject({
      allocations: [{ dates: expect.anything() }],
      missed: [{ why: expect.stringContaining('A higher-ranked choice in the same application') }],
    })
  })

  test('allocates a contested choice once and is repeatable by everyone', async () => {
    const roundId = await aRound()
    for (const role of ['resident', 'newcomer'])
      await expectOk(apply(role, roundId, [choiceInput(), choiceInput({ from: '20:00', until: '22:00' })]))
    expect((await as('admin', 'muni/run/rental/lottery', { roundId })).body.code).toBe('wrong_status')
    await runLottery(roundId)
    const roundView = await staffRound(roundId)
    expect(roundView.results.map(({ allocations: has }: { allocations: unknown[] }) => has.length)).toEqual([1, 1])
    expect(roundView.results[0]).toMatchObject({
      allocations: [
        { dates: Array.from({ length: 8 }, () => ({ mistake: '', totalCents: 2000 })), totalCents: 16_000 },
      ],
      missed: [{ why: expect.stringContaining('came earlier in the lottery') }],
    })
    const lottery = await expectOk(as('newcomer', 'return/rental/lottery', { roundId }))
    expect(await lotteryOf(lottery.seed, lottery.inputs)).toEqual(lottery.result)
    expect(JSON.stringify(lottery)).not.toContain('Club')
    expect(await expectOk(as('admin', 'muni/repeat/rental/lottery', { roundId }))).toEqual({
      isSame: true,
      isItsSeed: true,
    })
    const { turns, own } = await round(roundId)
    expect(turns.map(({ number }: { number: string }) => number)).toEqual(lottery.result.order)
    expect(own.status).toBe('submitted')
    // No applicant has a reservation before staff confirm the lottery results.
    const count = async () =>
      Number(
        (await owner.query('SELECT count(*) FROM rental_reservation WHERE resource_id = $1', [field.id])).rows[0].count,
      )
    expect(await count()).toBe(0)
    await confirmed(roundId)
    expect(await count()).toBe(16)
    const winner = lottery.result.order[0] === own.number ? 'resident' : 'newcomer'
    const after = await round(roundId, winner)
    expect(after.own).toMatchObject({ status: 'allocated', rankedChoices: [{ is: 'allocated' }, { is: 'missed' }] })
    expect(after.own.rankedChoices[0].days).toHaveLength(8)
    const { own: winnerReservations } = await expectOk(as(winner, 'return/rentals'))
    const holds = winnerReservations.filter(({ resourceId }: { resourceId: number }) => resourceId === field.id)
    expect(holds.map(({ status }: { status: string }) => status)).toEqual(Array.from({ length: 8 }, () => 'held'))
    expect(holds[0].heldUntil).toBe('2027-04-16T15:00:00.000Z')
    const [emailMessage = ''] = await emailsTo(`${winner}@maplegrove.example`).then((all) => all.slice(-1))
    expect(emailMessage).toContain('8 dates, 6:00 PM – 8:00 PM')
    expect(emailMessage).toMatch(/Choice 2 \([^)]*\) was not allocated/)
    expect(emailMessage).toContain('$160.00')
    // The confirmation takes effect only once. A second run of the job finds nothing to do.
    expect(await allocate(context)).toBe(0)
    expect(await count()).toBe(16)
  })

  test('prefers the first group, which staff set before the lottery', async () => {
    const twice = await as('admin', 'muni/add/rental/round', terms({ groups: ['Youth leagues', 'youth leagues'] }))
    expect(JSON.stringify(twice.body)).toContain('Use each group name only once.')
    const roundId = await aRound({ groups: ['Youth leagues', 'Adult leagues'] })
    for (const role of ['resident', 'newcomer']) await expectOk(apply(role, roundId))
    const { rows } = await expectOk(as('admin', 'muni/return/rental/applications', { round: roundId }))
    const one = rows.find(({ club }: { club: string }) => club === 'Club of newcomer')
    expect((await as('admin', 'muni/group/rental/application', { applicationId: one.id, group: 3 })).status).toBe(422)
    await expectOk(as('admin', 'muni/group/rental/application', { applicationId: one.id, group: 1 }))
    await runLottery(roundId)
    expect((await round(roundId)).turns).toMatchObject([
      { number: one.number, group: 1, allocations: [1] },
      { group: 3, allocations: [] },
    ])
    expect((await as('admin', 'muni/group/rental/application', { applicationId: one.id, group: 2 })).body.code).toBe(
      'results',
    )
  })

  test('excludes applications that staff removed with a reason', async () => {
    const roundId = await aRound()
    for (const role of ['resident', 'newcomer']) await expectOk(apply(role, roundId))
    const { rows } = await expectOk(as('admin', 'muni/return/rental/applications', { round: roundId }))
    const one = rows.find(({ club }: { club: string }) => club === 'Club of newcomer')
    const out = (reason?: string) =>
      as('admin', 'muni/transition/rental/application', { applicationId: one.id, event: 'exclude', reason })
    expect((await out()).status).toBe(422)
    await expectOk(out('The club applied twice.'))
    expect(
      (await emailsTo('newcomer@maplegrove.example')).some((emailMessage) =>
        emailMessage.includes('The club applied twice.'),
      ),
    ).toBe(true)
    expect((await apply('newcomer', roundId)).body.message).toContain('excluded your application')
    await runLottery(roundId)
    expect((await round(roundId)).turns).toHaveLength(1)
  })

  test('skips dates reserved before it or before its confirmation', async () => {
    field = await aField({ residentCents: 0, otherCents: 0 })
    const roundId = await aRound()
    const phone = (day: string) =>
      expectOk(
        as('admin', 'muni/book/rental', {
          ...{ resourceId: field.id, spaceId: field.spaces[0], pieces: 1, day, from: '18:00', until: '20:00' },
          ...{ name: 'Phil', email: '', phone: '', purpose: 'Fair', guests: 1, isResident: true },
        }),
      )
    await expectOk(apply('resident', roundId))
    await phone('2027-05-10')
    await runLottery(roundId)
    const dates = async () => (await staffRound(roundId)).results[0].allocations[0].dates
    const conflictDays = async () =>
      (await dates()).filter(({ mistake }: { mistake: string }) => mistake).map(({ day }: { day: string }) => day)
    expect(await conflictDays()).toEqual(['2027-05-10'])
    await phone('2027-05-17')
    expect(await conflictDays()).toEqual(['2027-05-10', '2027-05-17'])
    await confirmed(roundId)
    expect((await dates()).map(({ day }: { day: string }) => day)).toEqual([
      ...['2027-05-03', '2027-05-24', '2027-05-31', '2027-06-07', '2027-06-14', '2027-06-21'],
    ])
    expect((await emailsTo('resident@maplegrove.example')).at(-1)).toContain(
      'closed or already reserved: May 10, 2027, May 17, 2027',
    )
  })

  test('cannot be changed or repeated', async () => {
    const roundId = await aRound()
    await expectOk(apply('resident', roundId))
    await runLottery(roundId)
    expect((await as('admin', 'muni/run/rental/lottery', { roundId })).body.code).toBe('wrong_status')
    await expect(
      context.inCompany(company, (tx) =>
        tx.updateTable('rental_lottery').set({ seed: 'other' }).where('round_id', '=', roundId).execute(),
      ),
    ).rejects.toThrow(/permission denied/)
  })
})
