import { type FieldConflict, same } from '../../../shared/edits.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { moveFiles } from '../../../server/attachments/keep.ts'
import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { conflict, malformed, notAllowed } from '../../../server/errors.ts'
import { fieldParts } from '../../../server/field-parts.ts'
import { transition, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { conflictPhotos, resolveConflict } from '../contract.ts'
import { bothOf } from '../rules.ts'
import { type Conflict, conflictStateStore } from './conflicts.ts'

const gone = () => conflict('gone', say`This change is no longer possible. Keep the current version.`)
type Values = Record<string, unknown>
type ResolveConflictRequest = RequestOf<typeof resolveConflict>

/** Saves the choice and applies it in one transaction, by repeating the phone's call on the current data. */
export const decideConflictCall = implement(resolveConflict, (call) => {
  return call.once(async (tx) => {
    const { id: companyId } = call.company
    const locked = await conflictStateStore.lock(tx, companyId, call.body.conflictId)
    const { conflict: storedConflict } = locked
    const fieldConflicts = chosenOf(storedConflict, call.body)
    const body = call.body.choice === 'others' ? null : bodyOf(storedConflict, fieldConflicts)
    const event = body === null ? 'reject' : eventOf(fieldConflicts)
    const patch = { by: callerName(call), edit_conflicts: fieldConflicts }
    await transition(tx, conflictStateStore, {
      scope: companyId,
      id: locked.id,
      locked,
      event,
      actor: actorOf(call),
      patch,
      detail: { fieldConflicts },
    })
    if (body !== null) await replayCall(tx, call, storedConflict, body)
    return { success: true as const, message: say`Decision saved.` }
  })
})

type DecidedConflict = FieldConflict & { chosen: NonNullable<Conflict['edit_conflicts'][number]['chosen']> }

/**
 * Returns the decided fields, each with the choice and with the other person's value that staff saw when they chose.
 */
function chosenOf(
  { part, body, edit_conflicts: fieldConflicts, status }: Conflict,
  { choice, choices = {}, seen = {} }: ResolveConflictRequest,
): DecidedConflict[] {
  const sides = choice ? Object.fromEntries(fieldConflicts.map(({ field }) => [field, choice])) : choices
  const isWhole = Object.keys(sides).length > 0 && fieldConflicts.every(({ field }) => sides[field])
  if (status === 'open' && !choice && !isWhole) throw malformed('Choose a version.')
  return Object.entries(sides).map(([field, chosen]) => {
    const stored = fieldConflicts.find((one) => one.field === field)
    const was = stored ?? { field, own: valueAt(body, pathOf(part, field)), others: undefined, by: '', at: '' }
    if (!(field in seen) || same(seen[field], was.others)) return { ...was, chosen }
    const { both: _asItWas, texts: _ofThat, ...rest } = was
    return { ...rest, others: seen[field], chosen }
  })
}

const eventOf = (fieldConflicts: readonly DecidedConflict[]) =>
  fieldConflicts.every(({ chosen }) => chosen === 'own') ? ('apply' as const) : ('apply_both' as const)

/** @throws the errors of the call: 409 with both values if a field has changed again */
async function replayCall(tx: Tx, call: Call, storedConflict: Conflict, body: Values): Promise<void> {
  const part = fieldParts.get(storedConflict.part)
  const photo = part?.photos?.[storedConflict.call]
  if (photo) {
    await photo.expectOpen(tx, call, storedConflict.subject_id)
    return moveFiles(
      tx,
      { from: conflictPhotos, id: storedConflict.id },
      { to: photo.use, id: storedConflict.subject_id },
      call.company.id,
    )
  }
  const made = part?.calls.find(({ endpoint }) => endpoint.path === storedConflict.call)
  if (!made) throw gone()
  const { privilege } = made.endpoint.access
  if (privilege && !may(signedIn(call).privileges, ...privilege)) throw notAllowed()
  const read = made.endpoint.body.safeParse(body)
  if (!read.success) throw gone()
  await made.handle(call.within(tx, read.data) as Call<never>)
}

/**
 * Returns the body of the phone's call with the choices applied. Its `basis` contains the values that staff saw. Null
 * if nothing is left to apply, because staff chose the other values and the phone had no other change.
 */
function bodyOf(storedConflict: Conflict, fieldConflicts: readonly DecidedConflict[]): Values | null {
  const body = structuredClone(storedConflict.body)
  if (fieldConflicts.length === 0) return body
  const basis = Object(body['basis']) as Values
  for (const fieldConflict of fieldConflicts) {
    const { field, own, others, chosen } = fieldConflict
    const both = chosen === 'both' ? bothOf(fieldConflict) : undefined
    if (chosen === 'both' && both === undefined)
      throw malformed('These two values cannot both be applied. Choose one of them.')
    put(body, pathOf(storedConflict.part, field), { own, others, both }[chosen])
    put(basis, pathOf(storedConflict.part, field), others)
  }
  const isSame = Object.keys(basis).every((field) => !(field in body) || same(body[field], basis[field]))
  return isSame && fieldConflicts.every(({ chosen }) => chosen === 'others') ? null : { ...body, basis }
}

/** Returns the path of a collided field in the body of its call. */
const pathOf = (part: string, field: string): readonly string[] => fieldParts.get(part)?.fieldAt?.(field) ?? [field]

const valueAt = (values: unknown, path: readonly string[]): unknown =>
  path.reduce((within, name) => (Object(within) as Values)[name], values)

function put(values: Values, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) values[first] = value
  else {
    values[first] ??= {}
    put(values[first] as Values, rest, value)
  }
}
