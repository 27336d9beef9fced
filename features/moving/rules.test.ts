import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '../../shared/dates.ts'
import { noLocation } from '../../shared/places.ts'
import { addressesForm, addressesFormOn } from './contract.ts'
import { type Change, daysOpen, type OwnerAgreement, partiesOf, usualSettings } from './rules.ts'

const day = fc.integer({ min: 0, max: 60 }).map((n) => addDays('2026-03-01', n))
const changes = fc.uniqueArray(
  fc.record({
    moveId: fc.integer({ min: 1, max: 12 }),
    does: fc.constantFrom('in' as const, 'out' as const),
    on: day,
    name: fc.constant('Ann'),
    identifiers: fc.constantFrom(['ann'], ['bo'], ['cy', 'ann'], ['dee']),
  }),
  { maxLength: 12, selector: ({ moveId, does }) => `${moveId}${does}` },
)
/** Consecutive owner agreements, as the database stores them. */
const agreements = fc
  .uniqueArray(day, { maxLength: 6 })
  .map((days): OwnerAgreement[] =>
    days
      .toSorted()
      .flatMap((from, n, all) => (n % 2 ? [] : [{ moveId: 100 + n, from, until: all[n + 1] ?? null, name: 'Owner' }])),
  )

/**
 * Reference model that computes the responsible party of one day without date ranges. It is the last person who moved
 * in and did not move out, else the owner, else the company. If the first change is a move out, that person is
 * responsible before it.
 */
function plainly(on: string, changeList: readonly Change[], owners: readonly OwnerAgreement[]): string {
  const first = changeList.toSorted(
    (one, other) => one.on.localeCompare(other.on) || other.does.localeCompare(one.does) || one.moveId - other.moveId,
  )[0]
  let lives = first?.does === 'out' ? first : undefined
  for (let at = '2026-03-01'; at <= on; at = addDays(at, 1)) {
    const today = changeList.filter((one) => one.on === at).toSorted((one, other) => one.moveId - other.moveId)
    for (const gone of today)
      if (gone.does === 'out' && lives?.identifiers.some((name) => gone.identifiers.includes(name))) lives = undefined
    lives = today.findLast(({ does }) => does === 'in') ?? lives
  }
  if (lives) return `resident ${lives.moveId}`
  const owner = owners.find(({ from, until }) => from <= on && (until ?? '9999') > on)
  return owner ? `owner ${owner.moveId}` : 'company null'
}

test('assigns one party per service point and day, like the simple model', () => {
  fc.assert(
    fc.property(changes, agreements, (changeList, owners) => {
      const parties = partiesOf(changeList, owners)
      for (let n = -1; n < 63; n++) {
        const on = addDays('2026-03-01', n)
        const now = parties.filter(({ from, until }) => (from ?? '') <= on && (until ?? '9999') > on)
        expect(now.map(({ party, moveId }) => `${party} ${moveId}`)).toEqual([plainly(on, changeList, owners)])
      }
    }),
    { numRuns: process.env['NIGHTLY'] ? 5000 : 200 },
  )
})

test('offers days from the lead time to the company’s limit', () => {
  expect(daysOpen('2026-03-01', usualSettings)).toEqual({ first: '2026-03-04', last: '2026-06-29' })
})

test('makes the first person who moves out responsible for the time before', () => {
  const changeList: Change[] = [{ name: 'Ann', identifiers: ['ann'], moveId: 1, does: 'out', on: '2026-03-10' }]
  expect(partiesOf(changeList, []).map(({ party, from, until }) => [party, from, until])).toEqual([
    ['resident', null, '2026-03-10'],
    ['company', '2026-03-10', null],
  ])
})

test('ignores a move out after the next person moved in', () => {
  const ann = { name: 'Ann', identifiers: ['ann'] }
  const changeList: Change[] = [
    { ...ann, moveId: 1, does: 'in', on: '2026-03-01' },
    { name: 'Bo', identifiers: ['bo'], moveId: 2, does: 'in', on: '2026-03-10' },
    { ...ann, moveId: 3, does: 'out', on: '2026-03-12' },
  ]
  expect(partiesOf(changeList, []).map(({ name, from }) => [name, from])).toEqual([
    ['', null],
    ['Ann', '2026-03-01'],
    ['Bo', '2026-03-10'],
  ])
})

test('refuses closed days, early days and unconfirmed addresses at their fields', () => {
  const rules = addressesFormOn({ first: '2026-11-26', last: '2027-03-22', closed: ['2026-11-28'] })
  const refused = (entersOn: string, asTyped = true) =>
    rules
      .safeParse({
        ...{ kind: 1, leavesBy: 'address', accountId: null, leaves: noLocation, leavesOn: '' },
        ...{
          enters: { ...noLocation, text: '4 Oak Street', asTyped },
          entersOn,
          forwarding: '',
          ownerName: '',
          ownerEmail: '',
        },
      })
      .error?.issues.map(({ path, message }) => [path.join('.'), message])
  expect(refused('2026-11-27')).toBeUndefined()
  expect(refused('2026-11-28')).toEqual([['entersOn', 'The office is closed on this day. Choose another day.']])
  expect(refused('2026-11-25')).toEqual([['entersOn', 'Choose a day in the range shown.']])
  expect(refused('2026-11-27', false)).toEqual([
    ['enters', 'Choose the address from the list. If it is not there, choose “My address is not in the list”.'],
  ])
})

test('refuses a body without addresses', () => {
  expect(addressesForm.safeParse({}).success).toBe(false)
})
