import { type Call, implement } from '../../../server/call.ts'
import { findCase } from '../../../server/cases/entries.ts'
import { findByLink } from '../../../server/cases/guest.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { PAYER } from '../../general-payments/rules.ts'
import { addCharge, findFee, generalPayable, readType } from '../../general-payments/api.ts'
import { putIntoCart } from '../../payments/api.ts'
import { payMoveFee } from '../contract.ts'
import { enters } from '../rules.ts'
import { moves } from './case.ts'
import type { Move } from './points.ts'

/** Move-in fee: one charge of the company's payment type for each move. */

const UNFIT = 'Choose an open payment type with a fixed amount and no questions.'

/** @throws 422 if the payment type is not open, has no fixed amount, or has fields */
export async function expectFee(tx: Tx, company: CompanyId, typeId: number): Promise<void> {
  const type = await readType(tx, company, typeId).catch(() => null)
  if (type?.amountKind !== 'fixed' || type.latestVersion > 0 || type.status !== 'open')
    throw rejected(UNFIT, { feeTypeId: UNFIT })
}

/** Charges the move-in fee. Does nothing if the payment type is no longer open. */
export async function chargeFee(tx: Tx, call: Call, row: Move, typeId: number | null): Promise<void> {
  if (typeId === null || !enters(row.kind)) return
  const type = await readType(tx, call.company.id, typeId)
  if (type.status !== 'open') return
  const { id } = await addCharge(tx, call.context, call.company, type, {
    raw: { [PAYER]: row.name },
    email: row.email,
    person: row.person_id,
    madeBy: say`Move ${row.number}`,
    signer: null,
  })
  await tx
    .updateTable('move_request')
    .set({ charge_id: id })
    .where('company_id', '=', call.company.id)
    .where('id', '=', row.id)
    .execute()
}

/** Returns the fee of a move and the amount paid. Null if the move is free. */
export async function feeOf(tx: Tx, { company_id, charge_id }: Pick<Move, 'company_id' | 'charge_id'>) {
  if (charge_id === null) return null
  const row = await findFee(tx, company_id, charge_id)
  if (!row) return null
  const { status, ...fee } = row
  return { ...fee, canPay: status === 'open' && fee.paidCents < fee.amountCents }
}

const payCall = implement(payMoveFee, (call) =>
  call.inCompany(async (tx) => {
    const row: Move = await findCase(tx, moves, call.company.id, await findByLink(tx, moves, call, call.body.token))
    const fee = await feeOf(tx, row)
    if (row.charge_id === null || !fee?.canPay || row.status === 'Withdrawn')
      throw conflict('closed', say`Nothing is due for move request ${row.number}.`)
    return { token: await putIntoCart(tx, call, [{ kind: generalPayable.kind, id: row.charge_id }], call.body.cart) }
  }),
)

export const feeCalls = [payCall]
