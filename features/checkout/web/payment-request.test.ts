import { expect, test } from 'vitest'
import { defaultAmount } from './checkout.ts'
import {
  ANY_CARD,
  isBeyondCorrection,
  quoteOfRequest,
  refusalOf,
  type PaymentRequest,
  requestedLines,
  requestForm,
} from './payment-request.ts'

const limits = { minCents: 500, maxCents: 150_000 }
const good = {
  payType: 2 as const,
  amountCents: 2500,
  amounts: {},
  storedMethodId: 0,
  keep: false,
  method: 1 as const,
  email: 'pat@example.org',
}
const payableView = {
  feeKind: 'utility',
  title: '',
  details: [],
  dueDate: null,
  nothingYet: null,
  closed: null,
  heldSeconds: null,
  inFull: false,
  pendingCents: 0,
  beforeCents: null,
  autopay: null,
  installment: null,
}
const cartOf = (...items: { owedCents: number; takesCredit: boolean }[]) => ({
  payables: items.map((one, n) => ({ ...payableView, ...one, no: n + 1, payableCents: one.owedCents })),
  payableCents: items.reduce((sum, { owedCents }) => sum + owedCents, 0),
  limits,
})
const problems = (request: object, payable = 14_502) =>
  Object.fromEntries(
    requestForm(cartOf({ owedCents: payable, takesCredit: true }))
      .safeParse({ ...good, ...request })
      .error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [],
  )

test('ignores the amount field of a full payment', () => {
  expect(problems({})).toEqual({})
  expect(problems({ payType: 1, amountCents: null })).toEqual({})
  expect(problems({ payType: 1, amountCents: 3 })).toEqual({})
})

test('reports wrong amounts under their field with other errors', () => {
  expect(problems({ amountCents: null, email: 'pat' })).toEqual({
    amountCents: 'Enter an amount, such as 25.00.',
    email: 'Enter an email address, such as name@example.com.',
  })
  expect(problems({ amountCents: 499 }).amountCents).toBe('The minimum amount is $5.00.')
  expect(problems({ amountCents: 14_502 }).amountCents).toMatch(/less than the \$145\.02 due/)
  expect(problems({ payType: 3, amountCents: 150_001 }).amountCents).toBe('The maximum amount is $1,500.00.')
  expect(problems({ payType: 3, amountCents: 150_000 })).toEqual({})
  expect(problems({ payType: 1 }, 0).payType).toMatch(/^This account has no amount due\./)
})

test('defers the error for small amounts but not for large ones', () => {
  expect(refusalOf({ payType: 3, amountCents: 2 }, 14_502, limits)).not.toBeNull()
  expect(isBeyondCorrection(200, limits)).toBe(false)
  expect(isBeyondCorrection(150_001, limits)).toBe(true)
})

test('charges each item its amount due or typed amount with its fee', () => {
  const cart = cartOf(
    { owedCents: 10_000, takesCredit: true },
    { owedCents: 4000, takesCredit: false },
    { owedCents: 0, takesCredit: false },
  )
  const request = { ...good, payType: 1 as const, amounts: { line1: 6000 } }
  const lines = requestedLines(cart, request)
  expect(lines.map(({ payType, billCents }) => [payType, billCents])).toEqual([
    [2, 6000],
    [1, 4000],
    [1, 0],
  ])
  const rule = {
    kind: null,
    method: 1,
    channel: null,
    brand: null,
    funding: null,
    validFrom: '2026-01-01',
    ends: false,
  } as const
  const terms = { program: 'convenience', mode: 'single', absorb: 0, bps: 275, fixedCents: 30 } as const
  const rules = [{ ...rule, ...terms, minCents: 195, maxCents: 4995, recovers: false }]
  const fees = { on: '2026-11-20', location: 4 as const, rules }
  expect(quoteOfRequest(fees, { method: 1, ...ANY_CARD }, lines)).toMatchObject({
    billCents: 10_000,
    feeCents: 390,
  })
  const errorsOf = (amounts: PaymentRequest['amounts']) =>
    requestForm(cart)
      .safeParse({ ...request, amounts })
      .error?.issues.map(({ path, message }) => [path.join('.'), message])
  expect(errorsOf({ line1: 6000 })).toBeUndefined()
  expect(errorsOf({ line1: 499, line2: 4001 })).toEqual([
    ['amounts.line1', 'The minimum amount is $5.00.'],
    ['amounts.line2', 'You can pay up to $40.00, the amount due.'],
  ])
  expect(errorsOf({ line1: null })).toEqual([['amounts.line1', 'Enter an amount, such as 25.00.']])
  // If the payer does not change an amount, the full amount due is paid.
  expect(errorsOf({ line1: undefined })).toBeUndefined()
  expect(errorsOf({ line1: 149_900 })?.[0]).toEqual(['root.server', expect.stringMatching(/limited to \$1,500\.00/)])
})

test('preselects the installment if it can be paid', () => {
  const bill = cartOf({ owedCents: 13_078, takesCredit: true })
  const chosen = (cents: number | null, byPlan: boolean, more = bill.payables.slice(1)) => {
    const installment = cents === null ? null : { cents, on: '2026-12-22' }
    const payables = [...bill.payables.map((payable) => ({ ...payable, installment })), ...more]
    return defaultAmount({ ...bill, payables }, byPlan)
  }
  expect(chosen(4359, true)).toEqual({ payType: 2, amountCents: 4359 })
  const all = { payType: 1, amountCents: null }
  expect(chosen(4359, false)).toEqual(all)
  expect(chosen(499, true), 'less than may be paid').toEqual(all)
  expect(chosen(null, true), 'paid meanwhile').toEqual(all)
  expect(chosen(4359, true, bill.payables), 'one of two').toEqual(all)
})
