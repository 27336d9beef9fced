import type { PayableRef } from '../../../server/db/column-types.ts'
import type { Company } from '../../../server/hosts.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import { loadOwed, allPayables, payableOf } from '../../payments/api.ts'
import { type BankLine, mayBeOneHousehold } from '../rules.ts'

export type Match = { ref: PayableRef } | { why: string }

/** Returns the item that a payment is for, or the reason why staff must review it. */
export async function matchOf(tx: Tx, company: Company, line: BankLine): Promise<Match> {
  if (line.currency !== 'USD')
    return { why: say`The payment is in ${line.currency}. Enter the amount that the bank credited, in US dollars.` }
  if (line.account === '') return { why: say`The bank sent no account number.` }
  const refs: PayableRef[] = []
  for (const { kind, byReference } of allPayables()) {
    const id = await byReference?.(tx, company.id, line.account)
    if (id) refs.push({ kind, id })
  }
  const [ref] = refs
  if (!ref) return { why: say`No account has the number ${line.account}.` }
  if (refs.length > 1) return { why: say`More than one item has the number ${line.account}.` }
  const why = await whyNot(tx, company, ref, line)
  return why === null ? { ref } : { why }
}

/** Returns the reason why this amount cannot be posted to the item, or null. */
async function whyNot(tx: Tx, company: Company, ref: PayableRef, { cents, payer }: BankLine): Promise<string | null> {
  const [payableState] = await loadOwed(tx, company.id, [ref])
  if (!payableState) throw new Error('what was asked for is answered')
  const { owedCents, takesCredit, inFull, description } = payableState
  if (isStrange(ref, payer, description.payerName))
    return say`The account belongs to ${description.payerName}, but ${payer} paid.`
  if (!takesCredit && cents > owedCents) return say`The amount due is only ${formatCents(Math.max(owedCents, 0))}.`
  if (inFull && cents < owedCents)
    return say`This item must be paid in full. The amount due is ${formatCents(owedCents)}.`
  return null
}

/**
 * True if the payer is probably a stranger. Anyone may pay a parking ticket or an open item. A recurring account is
 * usually paid only by its own household.
 */
const isStrange = ({ kind }: PayableRef, payer: string, owner: string): boolean =>
  payableOf(kind).recurs !== undefined && !mayBeOneHousehold(payer, owner)

/** Returns the account owner's name if it does not match the payer's name. */
export async function otherOwner(tx: Tx, company: CompanyId, ref: PayableRef, payer: string): Promise<string | null> {
  const { payerName } = await payableOf(ref.kind).describe(tx, company, ref.id)
  return isStrange(ref, payer, payerName) ? payerName : null
}
