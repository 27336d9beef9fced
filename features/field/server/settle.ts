import { type Collision, same } from '../../../shared/edits.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/words.ts'
import { moveFile } from '../../../server/attachments/keep.ts'
import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { conflict, malformed, notAllowed } from '../../../server/errors.ts'
import { fieldParts } from '../../../server/field-parts.ts'
import { transition, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { conflictPhotos, settleConflict } from '../contract.ts'
import { bothOf } from '../rules.ts'
import { type Conflict, keptConflicts } from './conflicts.ts'

const gone = () => conflict('gone', say`This can not be done any more. Keep what is there.`)
type Values = Record<string, unknown>
type SettleConflictRequest = RequestOf<typeof settleConflict>

/** The choice, and what follows from it, in one transaction: the call is made again on top of what is there now. */
export const settleCall = implement(settleConflict, (call) => {
  return call.once(async (tx) => {
    const { id: place } = call.company
    const held = await keptConflicts.lock(tx, place, call.body.conflictId)
    const { conflict: kept } = held
    const collisions = chosenOf(kept, call.body)
    const body = call.body.choice === 'theirs' ? null : bodyOf(kept, collisions)
    const event = body === null ? 'keep_theirs' : eventOf(collisions)
    const facts = { by: callerName(call), collisions }
    await transition(tx, keptConflicts, {
      place,
      id: held.id,
      held,
      event,
      who: actorOf(call),
      facts,
      detail: { collisions },
    })
    if (body !== null) await makeAgain(tx, call, kept, body)
    return { success: true as const, message: say`Your choice is kept.` }
  })
})

type DecidedCollision = Collision & { chosen: NonNullable<Conflict['collisions'][number]['chosen']> }

/** The fields that collided, the others' values as whoever chose has seen them, and whose value counts of each. */
function chosenOf(
  { part, body, collisions, status }: Conflict,
  { choice, choices = {}, seen = {} }: SettleConflictRequest,
): DecidedCollision[] {
  const sides = choice ? Object.fromEntries(collisions.map(({ field }) => [field, choice])) : choices
  const isWhole = Object.keys(sides).length > 0 && collisions.every(({ field }) => sides[field])
  if (status === 'open' && !choice && !isWhole) throw malformed('Choose what counts.')
  return Object.entries(sides).map(([field, chosen]) => {
    const kept = collisions.find((one) => one.field === field)
    const was = kept ?? { field, mine: valueAt(body, pathOf(part, field)), theirs: undefined, by: '', at: '' }
    if (!(field in seen) || same(seen[field], was.theirs)) return { ...was, chosen }
    const { both: _asItWas, words: _ofThat, ...rest } = was
    return { ...rest, theirs: seen[field], chosen }
  })
}

const eventOf = (collisions: readonly DecidedCollision[]) =>
  collisions.every(({ chosen }) => chosen === 'mine') ? ('take_mine' as const) : ('take_both' as const)

/** @throws what the call throws: 409 with both values where the same was changed once more meanwhile */
async function makeAgain(tx: Tx, call: Call, kept: Conflict, body: Values): Promise<void> {
  const part = fieldParts.get(kept.part)
  const photo = part?.photos?.[kept.call]
  if (photo) {
    await photo.expectOpen(tx, call, kept.subject_id)
    return moveFile(tx, { from: conflictPhotos, id: kept.id }, { to: photo.use, id: kept.subject_id }, call.company.id)
  }
  const made = part?.calls.find(({ endpoint }) => endpoint.path === kept.call)
  if (!made) throw gone()
  const { privilege } = made.endpoint.access
  if (privilege && !may(signedIn(call).privileges, ...privilege)) throw notAllowed()
  const read = made.endpoint.body.safeParse(body)
  if (!read.success) throw gone()
  await made.handle(call.within(tx, read.data) as Call<never>)
}

/**
 * The body as the phone sent it, with what was chosen in it, made from what whoever chose has seen. Null where nothing of it is
 * left to be done: the others' values were chosen, and the phone had changed nothing else.
 */
function bodyOf(kept: Conflict, collisions: readonly DecidedCollision[]): Values | null {
  const body = structuredClone(kept.body)
  if (collisions.length === 0) return body
  const basis = Object(body['basis']) as Values
  for (const collision of collisions) {
    const { field, mine, theirs, chosen } = collision
    const both = chosen === 'both' ? bothOf(collision) : undefined
    if (chosen === 'both' && both === undefined) throw malformed('These two can not both count. Choose one of them.')
    put(body, pathOf(kept.part, field), { mine, theirs, both }[chosen])
    put(basis, pathOf(kept.part, field), theirs)
  }
  const isSame = Object.keys(basis).every((field) => !(field in body) || same(body[field], basis[field]))
  return isSame && collisions.every(({ chosen }) => chosen === 'theirs') ? null : { ...body, basis }
}

/** Where a field that collided stands in the body of its call. */
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
