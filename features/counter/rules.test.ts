import { expect, test } from 'vitest'
import { beyondOwed, amountsRefusal, countRefusal } from './rules.ts'

test('refuses to close an uncounted drawer as empty', () => {
  expect(countRefusal({})).toContain('enter 0')
  expect(countRefusal({ 2000: '', 100: ' ' })).toContain('enter 0')
  expect(countRefusal({ 2000: '0' })).toBeNull()
  expect(countRefusal({ 2000: '', 25: '3' })).toBeNull()
})

test('reports an overpayment as a credit or as too much', () => {
  const bill = { owedCents: 149_31, takesCredit: true }
  expect(beyondOwed(99_999_00, bill)).toBe(
    'This amount is $99,849.69 more than the amount due. The extra amount will become a credit.',
  )
  // On an account with a credit, the whole payment is an overpayment.
  expect(beyondOwed(10_00, { ...bill, owedCents: -20_00 })).toContain('$10.00 more')
  expect(beyondOwed(25_00, { owedCents: 20_00, takesCredit: false })).toContain('Enter a lower amount')
  for (const cents of [null, 10_00, 149_31]) expect(beyondOwed(cents, bill)).toBeNull()
})

test('asks the clerk to confirm an overpayment, or names the limit', () => {
  const account = { owedCents: 0, takesCredit: true, reference: '100001', amountCents: 25_000_00 }
  expect(amountsRefusal([account])).toContain('Confirm')
  expect(amountsRefusal([{ ...account, confirmedCents: 25_00 }]), 'another amount was confirmed').toContain('Confirm')
  expect(amountsRefusal([{ ...account, confirmedCents: 25_000_00 }])).toBeNull()
  const tax = { owedCents: 819_81, takesCredit: false, reference: '11-001-0100', amountCents: 900_00 }
  expect(amountsRefusal([{ ...tax, confirmedCents: 900_00 }])).toBe('You can accept up to $819.81 for 11-001-0100.')
  expect(amountsRefusal([{ ...tax, amountCents: null }])).toContain('Enter an amount for each item')
  expect(amountsRefusal([{ ...tax, amountCents: 819_81 }])).toBeNull()
})
