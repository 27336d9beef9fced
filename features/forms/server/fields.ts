import { type Call, implement } from '../../../server/call.ts'
import { malformed } from '../../../server/errors.ts'
import { publishFieldSet, saveFieldSet, type Work } from '../../../server/fields/sets.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { type Definition, sketch } from '../../../shared/fields/definition.ts'
import { say } from '../../../shared/words.ts'
import { publishFormFields, saveFormFields } from '../contract.ts'
import { readType } from './types.ts'

const workOf = (call: Call, tx: Tx): Work => ({ tx, clock: call.house.clock, doer: call, company: call.company.id })

function read(sent: unknown): Definition {
  const parsed = sketch.safeParse(sent)
  if (!parsed.success) throw malformed(parsed.error.issues[0]?.message ?? 'These fields could not be read.')
  return parsed.data
}

export const saveFormFieldsCall = implement(saveFormFields, async (call) => {
  const { typeId, definition, basis } = call.body
  const { steps } = read(definition)
  return call.inCompany(async (tx) => {
    const { title: name, fieldSet } = await readType(tx, call.company.id, typeId)
    const made = basis === undefined ? undefined : { name, steps: read(basis).steps }
    const saved = await saveFieldSet(workOf(call, tx), fieldSet, { name, steps }, made)
    return { success: true as const, message: 'The draft is saved.', definition: { steps: saved.steps } }
  })
})

export const publishFormFieldsCall = implement(publishFormFields, async (call) => {
  const seen = read(call.body.definition)
  return call.inCompany(async (tx) => {
    const { fieldSet } = await readType(tx, call.company.id, call.body.typeId)
    const version = await publishFieldSet(workOf(call, tx), fieldSet, seen)
    return { success: true as const, message: say`Version ${version} is published.`, version }
  })
})
