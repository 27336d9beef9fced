import type { Collision } from '../../../shared/edits.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/words.ts'
import { moveFile } from '../../../server/attachments/keep.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { conflict, malformed, notAllowed } from '../../../server/errors.ts'
import { type FieldPart, fieldParts } from '../../../server/field-parts.ts'
import { move, whoOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { conflictPhotos, settleConflict } from '../contract.ts'
import { bothOf } from './both.ts'
import { type Conflict, keptConflicts } from './conflicts.ts'

const gone = () => conflict('gone', say`This can not be done any more. Keep what is there.`)
type Values = Record<string, unknown>
const events = { mine: 'take_mine', theirs: 'keep_theirs', both: 'take_both' } as const

/** The choice, and what follows from it, in one transaction: the call is made again on top of what is there now. */
export const settleCall = implement(settleConflict, (call) => {
  const { conflictId, choice, seen = {} } = call.body
  const { firstName, lastName } = signedIn(call)
  return call.once(async (tx) => {
    const wish = { place: call.company.id, id: conflictId, event: events[choice], who: whoOf(call) }
    const { held } = await move(tx, keptConflicts, { ...wish, facts: { by: `${firstName} ${lastName}`.trim() } })
    if (choice !== 'theirs') await makeAgain(tx, call, held.conflict, chosenOf(held.conflict, choice, seen))
    return { success: true as const, message: say`Your choice is kept.` }
  })
})

/** The fields that collided: what is taken of each, and what it is taken in place of. */
function chosenOf({ collisions }: Conflict, choice: 'mine' | 'both', seen: Values) {
  const both = bothOf(collisions)
  if (choice === 'both' && !both) throw malformed('These two can not both count. Choose one of them.')
  return collisions.map((collision: Collision) => ({
    field: collision.field,
    value: choice === 'both' ? both?.get(collision.field) : collision.mine,
    instead: collision.field in seen ? seen[collision.field] : collision.theirs,
  }))
}

type Chosen = ReturnType<typeof chosenOf>

/** @throws what the call throws: 409 with both values where the same was changed once more meanwhile */
async function makeAgain(tx: Tx, call: Call, kept: Conflict, chosen: Chosen): Promise<void> {
  const part = fieldParts.get(kept.part)
  const photo = part?.photos?.[kept.call]
  if (photo) {
    await photo.expectOpen(tx, call, kept.subject_id)
    return moveFile(tx, { from: conflictPhotos, id: kept.id }, { to: photo.use, id: kept.subject_id }, call.company.id)
  }
  const made = part?.calls.find(({ endpoint }) => endpoint.path === kept.call)
  if (!part || !made) throw gone()
  const { privilege } = made.endpoint.access
  if (privilege && !may(signedIn(call).privileges, ...privilege)) throw notAllowed()
  const read = made.endpoint.body.safeParse(bodyOf(part, kept, chosen))
  if (!read.success) throw gone()
  await made.handle(call.within(tx, read.data) as Call<never>)
}

/** The body as the phone sent it, with what was chosen in it, made from what whoever chose has seen. */
function bodyOf({ fieldAt = (field) => [field] }: FieldPart, kept: Conflict, chosen: Chosen): Values {
  const body = structuredClone(kept.body)
  if (chosen.length === 0) return body
  const basis = Object(body['basis']) as Values
  for (const { field, value, instead } of chosen) {
    put(body, fieldAt(field), value)
    put(basis, fieldAt(field), instead)
  }
  return { ...body, basis }
}

function put(values: Values, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) values[first] = value
  else {
    values[first] ??= {}
    put(values[first] as Values, rest, value)
  }
}
