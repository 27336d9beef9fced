import { changeRow, lockRow } from '../../../server/db/rows.ts'
import { type Call, implement } from '../../../server/call.ts'
import { defineUnique } from '../../../server/db/unique.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { notFound } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { saveViolation } from '../contract.ts'

interface Violation {
  code: string
  description: string
  amountCents: number
  active: boolean
}

const rowOf = ({ code, description, amountCents, active }: Violation) => ({
  code,
  description,
  amount_cents: amountCents,
  is_active: active ? (1 as const) : (0 as const),
})

defineUnique({ index: 'parking_violation_code_once', field: 'code', message: 'This code already exists.' })

/** Creates a violation code. @returns its id */
export async function createViolation(tx: Tx, call: Call, form: Violation): Promise<number> {
  const { id } = await tx
    .insertInto('parking_violation')
    .values({ company_id: call.company.id, ...rowOf(form) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const subject = { kind: 'parking_violation' as const, id: form.code }
  await call.audit(tx, { action: 'parking.violation_added', subject, detail: { ...form } })
  return id
}

/** Adds or changes a violation code. Existing tickets have their own copy of its fine and description. */
export const saveViolationCall = implement(saveViolation, (call) => {
  const { companyId: _named, violationId, basis, ...own } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    if (violationId === null) {
      const id = await createViolation(tx, call, own)
      return { success: true as const, message: say`Code ${own.code} added.`, violationId: id }
    }
    const row = await lockRow(tx, 'parking_violation', company, violationId)
    if (!row) throw notFound('This code was not found.')
    const before: Violation = {
      code: row.code,
      description: row.description,
      amountCents: row.amount_cents,
      active: row.is_active === 1,
    }
    const edit = editBy(tx, call, `parking_violation ${row.id}`)
    const { after, isChanged } = await applyEdit(edit, { basis, own, before })
    if (isChanged) {
      await changeRow(tx, 'parking_violation', company, row.id, rowOf(after))
      const subject = { kind: 'parking_violation' as const, id: before.code }
      await call.audit(tx, { action: 'parking.violation_changed', subject, detail: { before, after } })
    }
    return { success: true as const, message: say`Code ${after.code} saved.`, violationId: row.id }
  })
})
