import { call } from '../../../web/call.ts'
import { dropDraft } from '../../../web/drafts.ts'
import { findGuestBill, guestBillForm } from '../../utility-accounts/contract.ts'

/**
 * Finds the bill for the account number and ZIP code entered on the landing page. Returns a checkout token or the
 * errors by field.
 * @throws {CallError} if no bill matches, or the payer must wait
 */
export async function findBill(
  values: Record<'accountNumber' | 'zip', string>,
): Promise<{ token?: string; errors?: Partial<typeof values> }> {
  const parsed = guestBillForm.safeParse(values)
  if (!parsed.success)
    return {
      errors: Object.fromEntries(parsed.error.issues.map(({ path, message }) => [String(path[0]), message]).reverse()),
    }
  const { token } = await call(findGuestBill, parsed.data)
  dropDraft('guest-bill')
  return { token }
}
