import { expect, test } from 'vitest'
import { isPastMending, refusalOf, wishForm } from './wish.ts'

const limits = { minCents: 500, maxCents: 150_000 }
const good = { payType: 2 as const, amountCents: 2500, method: 1 as const, email: 'pat@example.org' }
const problems = (wish: object, payable = 14_502) =>
  Object.fromEntries(
    wishForm(payable, limits)
      .safeParse({ ...good, ...wish })
      .error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [],
  )

test('a good wish has no problems, whatever stands in the amount of a full payment', () => {
  expect(problems({})).toEqual({})
  expect(problems({ payType: 1, amountCents: null })).toEqual({})
  expect(problems({ payType: 1, amountCents: 3 })).toEqual({})
})

test('amounts are refused under their own field, together with other problems', () => {
  expect(problems({ amountCents: null, email: 'pat' })).toEqual({
    amountCents: 'Enter an amount, such as 25.00.',
    email: 'That does not look like an email address. Check it for typing mistakes.',
  })
  expect(problems({ amountCents: 499 }).amountCents).toBe('The smallest amount is $5.00.')
  expect(problems({ amountCents: 14_502 }).amountCents).toMatch(/less than the \$145\.02 owed/)
  expect(problems({ payType: 3, amountCents: 150_001 }).amountCents).toBe('The largest amount is $1,500.00.')
  expect(problems({ payType: 3, amountCents: 150_000 })).toEqual({})
  expect(problems({ payType: 1 }, 0).payType).toMatch(/Nothing is owed/)
})

test('too small is told when the field is left, too large at once', () => {
  expect(refusalOf({ payType: 3, amountCents: 2 }, 14_502, limits)).not.toBeNull()
  expect(isPastMending(200, limits)).toBe(false)
  expect(isPastMending(150_001, limits)).toBe(true)
})
