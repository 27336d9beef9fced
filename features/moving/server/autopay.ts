import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { addDays, formatDate } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { automaticPayments } from '../../payments/api.ts'
import { utilityBills } from '../../utility-accounts/api.ts'
import type { Move } from './points.ts'
import { settingsOf } from './settings.ts'

export const hasAutopay = async (tx: Tx, company: CompanyId, account: number): Promise<boolean> =>
  (await automaticPayments()?.isOn(tx, company, utilityBills.kind, account)) ?? false

/**
 * Returns a message about the old account's AutoPay and the final bill. Empty if AutoPay is off or the requester leaves
 * no account.
 */
export async function autopayText(
  tx: Tx,
  company: CompanyId,
  {
    account_id,
    account_number,
    leaves_on,
    status,
  }: Pick<Move, 'account_id' | 'account_number' | 'leaves_on' | 'status'>,
): Promise<string> {
  if (account_id === null || leaves_on === null || status === 'Withdrawn') return ''
  if (!(await hasAutopay(tx, company, account_id))) return ''
  const { autopayDays } = await settingsOf(tx, company)
  return say`AutoPay for account ${account_number} will continue until ${formatDate(addDays(leaves_on, autopayDays))} to pay the final bill. Then it will end.`
}
