import { type Call, implement } from '../../../server/call.ts'
import { malformed, rejected } from '../../../server/errors.ts'
import { publishFieldSet, readFieldSet, saveFieldSet, type Work } from '../../../server/fields/sets.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { type Definition, sketch } from '../../../shared/fields/definition.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { say } from '../../../shared/words.ts'
import { publishPaymentFields, savePaymentFields } from '../contract.ts'
import { AMOUNT, PAYER } from '../rules.ts'
import { readType } from './types.ts'

const workOf = (call: Call, tx: Tx): Work => ({ tx, clock: call.house.clock, doer: call, company: call.company.id })

function read(sent: unknown): Definition {
  const parsed = sketch.safeParse(sent)
  if (!parsed.success) throw malformed(parsed.error.issues[0]?.message ?? 'These fields could not be read.')
  return parsed.data
}

export const savePaymentFieldsCall = implement(savePaymentFields, async (call) => {
  const { typeId, definition, basis } = call.body
  const { steps } = read(definition)
  return call.inCompany(async (tx) => {
    const { title: name, fieldSet } = await readType(tx, call.company.id, typeId)
    const made = basis === undefined ? undefined : { name, steps: read(basis).steps }
    const saved = await saveFieldSet(workOf(call, tx), fieldSet, { name, steps }, made)
    return { success: true as const, message: 'The draft is saved.', definition: { steps: saved.steps } }
  })
})

export const publishPaymentFieldsCall = implement(publishPaymentFields, async (call) => {
  const company = call.company.id
  const seen = read(call.body.definition)
  return call.inCompany(async (tx) => {
    const { fieldSet } = await readType(tx, company, call.body.typeId)
    const work = workOf(call, tx)
    refuseUnfit((await readFieldSet(work, fieldSet)).draft)
    const version = await publishFieldSet(work, fieldSet, seen)
    return { success: true as const, message: say`Version ${version} is published.`, version }
  })
})

/** What the fields of a payment can't be, beside what no fields can be. */
function refuseUnfit(draft: Definition): void {
  for (const { name, label } of allFields(draft)) {
    if (name === PAYER || name === AMOUNT)
      throw rejected(say`“${label}” is kept under a name that every payment has already. Remove it and add it again.`)
  }
}
