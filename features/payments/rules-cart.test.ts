import { expect, it } from 'vitest'
import { type CartLine, hasOneAmount, payTypeOf, lineRefusal } from './rules.ts'

const limits = { minCents: 500, maxCents: 150_000 }
const balance = [100, 499, 500, 501, 850, 12_000].flatMap((owedCents) =>
  [true, false].flatMap((takesCredit) => [true, false].map((inFull) => ({ owedCents, takesCredit, inFull }))),
)

it.each(balance)('offers another amount only if one is accepted: %j', (item) => {
  const accepts = (billCents: number): boolean => {
    const line: CartLine = { ...item, billCents, payType: payTypeOf(billCents, item.owedCents) }
    return lineRefusal(line, limits) === null
  }
  const others = [1, 100, 499, 500, 501, 849, 851, 11_999, 12_001].filter((cents) => cents !== item.owedCents)
  expect(accepts(item.owedCents)).toBe(true)
  expect(hasOneAmount(item, limits)).toBe(!others.some(accepts))
})
