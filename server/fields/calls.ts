import { type Definition, sketch } from '../../shared/fields/definition.ts'
import { say } from '../../shared/messages.ts'
import type { Call } from '../call.ts'
import { malformed } from '../errors.ts'
import type { CompanyId, Tx } from '../tenancy.ts'
import { publishFieldSet, readFieldSet, saveFieldSet, type FieldSetContext } from './sets.ts'

/** Id of the field set that belongs to an entity, and the entity's name. */
export interface FieldSetOwner {
  set: number
  name: string
}

/** Context for editing a company's fields. */
export interface CompanyFieldSetContext extends FieldSetContext {
  company: CompanyId
}

/** Creates the context for editing fields from a call. */
export const workOf = (call: Call, tx: Tx): CompanyFieldSetContext => ({
  tx,
  clock: call.context.clock,
  actor: call,
  company: call.company.id,
})

/** Parses the definition of a field set. @throws 400 if the definition has the wrong structure */
function read(sent: unknown): Definition {
  const parsed = sketch.safeParse(sent)
  if (!parsed.success)
    throw malformed(parsed.error.issues[0]?.message ?? 'The fields could not be read. Reload the page and try again.')
  return parsed.data
}

/** Saves the draft of an entity's fields, which only staff can see. */
export function saveFields(
  call: Call<{ definition: unknown; basis?: unknown }>,
  find: (work: CompanyFieldSetContext) => Promise<FieldSetOwner>,
) {
  const { definition, basis } = call.body
  const { steps } = read(definition)
  const made = basis === undefined ? undefined : read(basis)
  return call.inCompany(async (tx) => {
    const work = workOf(call, tx)
    const { set, name } = await find(work)
    const saved = await saveFieldSet(work, set, { name, steps }, made && { name, steps: made.steps })
    return { success: true as const, message: 'Draft saved.', definition: { steps: saved.steps } }
  })
}

/**
 * Publishes the draft of an entity's fields as its next version.
 * @param refuseUnfit throws if the fields don't suit the entity
 */
export function publishFields(
  call: Call<{ definition: unknown }>,
  find: (work: CompanyFieldSetContext) => Promise<FieldSetOwner>,
  refuseUnfit?: (draft: Definition) => void,
) {
  const seen = read(call.body.definition)
  return call.inCompany(async (tx) => {
    const work = workOf(call, tx)
    const { set } = await find(work)
    refuseUnfit?.((await readFieldSet(work, set)).draft)
    const version = await publishFieldSet(work, set, seen)
    return { success: true as const, message: say`Version ${version} was published.`, version }
  })
}
