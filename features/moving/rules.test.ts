import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '../../shared/dates.ts'
import { noPlace } from '../../shared/places.ts'
import { placesForm, placesFormOn } from './contract.ts'
import { type Change, daysOpen, type OwnerAgreement, partiesOf, usualSettings } from './rules.ts'

const day = fc.integer({ min: 0, max: 60 }).map((n) => addDays('2026-03-01', n))
const changes = fc.uniqueArray(
  fc.record({
    moveId: fc.integer({ min: 1, max: 12 }),
    does: fc.constantFrom('in' as const, 'out' as const),
    on: day,
    name: fc.constant('Ann'),
    knownBy: fc.constantFrom(['ann'], ['bo'], ['cy', 'ann'], ['dee']),
  }),
  { maxLength: 12, selector: ({ moveId, does }) => `${moveId}${does}` },
)
/** Owners one after the other, as the database keeps them. */
const agreements = fc
  .uniqueArray(day, { maxLength: 6 })
  .map((days): OwnerAgreement[] =>
    days
      .toSorted()
      .flatMap((from, n, all) => (n % 2 ? [] : [{ moveId: 100 + n, from, until: all[n + 1] ?? null, name: 'Owner' }])),
  )

/**
 * A day at a time, without a thought of ranges: the last who came and did not leave, and at first whoever is the first to
 * leave, else the owner, else the town.
 */
function plainly(on: string, known: readonly Change[], owners: readonly OwnerAgreement[]): string {
  const first = known.toSorted(
    (one, other) => one.on.localeCompare(other.on) || other.does.localeCompare(one.does) || one.moveId - other.moveId,
  )[0]
  let lives = first?.does === 'out' ? first : undefined
  for (let at = '2026-03-01'; at <= on; at = addDays(at, 1)) {
    const today = known.filter((one) => one.on === at).toSorted((one, other) => one.moveId - other.moveId)
    for (const gone of today)
      if (gone.does === 'out' && lives?.knownBy.some((name) => gone.knownBy.includes(name))) lives = undefined
    lives = today.findLast(({ does }) => does === 'in') ?? lives
  }
  if (lives) return `resident ${lives.moveId}`
  const owner = owners.find(({ from, until }) => from <= on && (until ?? '9999') > on)
  return owner ? `owner ${owner.moveId}` : 'town null'
}

test('exactly one party answers for a service point on each day, and it is the one of the plain model', () => {
  fc.assert(
    fc.property(changes, agreements, (known, owners) => {
      const parties = partiesOf(known, owners)
      for (let n = -1; n < 63; n++) {
        const on = addDays('2026-03-01', n)
        const now = parties.filter(({ from, until }) => (from ?? '') <= on && (until ?? '9999') > on)
        expect(now.map(({ party, moveId }) => `${party} ${moveId}`)).toEqual([plainly(on, known, owners)])
      }
    }),
    { numRuns: process.env['NIGHTLY'] ? 5000 : 200 },
  )
})

test('the days to choose from begin after the lead time and end where the town says', () => {
  expect(daysOpen('2026-03-01', usualSettings)).toEqual({ first: '2026-03-04', last: '2026-06-29' })
})

test('whoever leaves a place of which nothing is known answered for it until then', () => {
  const known: Change[] = [{ name: 'Ann', knownBy: ['ann'], moveId: 1, does: 'out', on: '2026-03-10' }]
  expect(partiesOf(known, []).map(({ party, from, until }) => [party, from, until])).toEqual([
    ['resident', null, '2026-03-10'],
    ['town', '2026-03-10', null],
  ])
})

test('whoever leaves later than the next one came takes nothing from them', () => {
  const ann = { name: 'Ann', knownBy: ['ann'] }
  const known: Change[] = [
    { ...ann, moveId: 1, does: 'in', on: '2026-03-01' },
    { name: 'Bo', knownBy: ['bo'], moveId: 2, does: 'in', on: '2026-03-10' },
    { ...ann, moveId: 3, does: 'out', on: '2026-03-12' },
  ]
  expect(partiesOf(known, []).map(({ name, from }) => [name, from])).toEqual([
    ['', null],
    ['Ann', '2026-03-01'],
    ['Bo', '2026-03-10'],
  ])
})

test('a day on which the office is closed or that is too soon, and an address that nobody chose, are refused where they stand', () => {
  const rules = placesFormOn({ first: '2026-11-26', last: '2027-03-22', closed: ['2026-11-28'] })
  const refused = (entersOn: string, asTyped = true) =>
    rules
      .safeParse({
        ...{ kind: 1, leavesBy: 'address', accountId: null, leaves: noPlace, leavesOn: '' },
        ...{
          enters: { ...noPlace, text: '4 Oak Street', asTyped },
          entersOn,
          forwarding: '',
          ownerName: '',
          ownerEmail: '',
        },
      })
      .error?.issues.map(({ path, message }) => [path.join('.'), message])
  expect(refused('2026-11-27')).toBeUndefined()
  expect(refused('2026-11-28')).toEqual([['entersOn', 'The office is closed on this day. Choose another one.']])
  expect(refused('2026-11-25')).toEqual([['entersOn', 'Choose a day between those two.']])
  expect(refused('2026-11-27', false)).toEqual([
    ['enters', 'Choose the address from the list. If it is not there, choose “My address is not in the list”.'],
  ])
})

test('a body without its places is refused', () => {
  expect(placesForm.safeParse({}).success).toBe(false)
})
