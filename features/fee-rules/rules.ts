/** Texts about fee rules, for staff. */
import { formatCents } from '../../shared/money.ts'
import { say, translated } from '../../shared/messages.ts'
import { brands, type FeeRule, type FeeScope, type FeeTerms, fundings, programs } from '../payments/rules-fees.ts'

/** Returns the label of a rule's cards, such as "Visa" or "Debit cards". Empty if the rule covers all cards. */
export const cardLabel = ({ brand, funding }: Pick<FeeScope, 'brand' | 'funding'>): string =>
  brand ? brands[brand] : funding ? translated(fundings[funding]) : ''

/** Returns the fee terms as text, such as "Convenience fee: 2.75% + $0.30, $1.95 to $49.95". */
export function termsText({ ends, ...terms }: FeeTerms & Pick<FeeRule, 'ends'>): string {
  if (ends) return say`General rule`
  const { program, absorb } = terms
  if (program === 'none') return say`No fee`
  const amount = `${translated(programs[program])}: ${amountText(terms)}`
  const text = terms.mode === 'two_transactions' ? say`${amount}, charged separately` : amount
  return absorb === 1 ? say`${text}, absorbed by the municipality` : text
}

function amountText({ bps, fixedCents, minCents, maxCents, recovers }: FeeTerms): string {
  if (bps === 0) return formatCents(Math.min(maxCents, Math.max(minCents, fixedCents)))
  const percent = `${(bps / 100).toFixed(2)}%${fixedCents > 0 ? ` + ${formatCents(fixedCents)}` : ''}`
  const share = recovers ? say`${percent} to recover processor cost` : percent
  return say`${share}, minimum ${formatCents(minCents)}, maximum ${formatCents(maxCents)}`
}
