import { type EditConflict, type Collision, mergeFields, same, type Values } from '../shared/edits.ts'
import { say } from '../shared/words.ts'
import type { Actor } from './audit.ts'
import type { Clock } from './clock.ts'
import { conflict } from './errors.ts'
import type { Call } from './call.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/** An edit of one thing, in a transaction that holds it: nobody else changes it meanwhile. */
export interface Edit {
  tx: Tx
  clock: Clock
  actor: Actor
  /** Whose it is: a town's, or the platform's own (`PLATFORM` of audit.ts). */
  company: CompanyId | 0
  /** What is edited: 'person 17'. */
  subject: string
}

/** An edit of a thing of the town that a call is about. */
export const editBy = (tx: Tx, call: Call, subject: string): Edit => ({
  tx,
  clock: call.context.clock,
  actor: call,
  company: call.company.id,
  subject,
})

interface EditInput<V> {
  /** What the form was made from; without it what is sent counts as it is. */
  basis: Values | undefined
  mine: V
  now: Values
  /** What a colliding field and its values are called, where the form's own labels would not say it. */
  wordsOf?: (field: string, theirs: unknown, mine: unknown) => Pick<Collision, 'label' | 'words'>
  /** The names of the form's fields, where they are other than those that are kept. */
  formName?: (field: string) => string
  /** A field that is secret: its values are in no answer. */
  secret?: string
}

/**
 * What is to be kept: what somebody sent, with what others changed in other fields since the form was made.
 * @throws 409 `changed_meanwhile` with a `ChangedMeanwhile`, where both changed the same
 */
export async function mergeEdit<V extends object>(edit: Edit, saving: EditInput<V>): Promise<V> {
  const { basis, now, wordsOf, secret, formName = (field) => field } = saving
  if (!basis) return saving.mine
  const mine = { ...saving.mine } as Values
  const { merged, collided } = mergeFields(basis, mine, now)
  if (collided.size === 0) return merged as V
  const changes = await lastChanges(edit)
  const collisions = [...collided].map(([field, both]): Collision => {
    const change = changes.find((row) => row.field === field)
    return {
      field: formName(field),
      ...(field === secret ? { mine: '', theirs: '' } : { mine: mine[field], theirs: now[field] }),
      ...(both !== null && { both }),
      ...{ by: change?.actor_name ?? '', at: change?.at.toISOString() ?? '' },
      ...wordsOf?.(field, now[field], mine[field]),
    }
  })
  const told = (values: Values): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(values).flatMap(([field, value]) => (field === secret ? [] : [[formName(field), value]])),
    )
  const [first] = collisions
  const who = first?.by || say`Somebody else`
  throw conflict(
    'changed_meanwhile',
    say`${who} changed this too, after you opened it. Nothing of yours is saved yet, and nothing is lost: choose what counts.`,
    { collisions, now: told(now), merged: told(merged) } satisfies EditConflict,
  )
}

/**
 * Merges what somebody sent with what others changed, and writes down who changed which fields.
 * @param saving.before what is kept by now, read under a lock
 * @returns what is to be kept, and whether it is other than what was
 * @throws 409 `changed_meanwhile`, as `mergeEdit`
 */
export async function applyEdit<V extends object>(
  edit: Edit,
  { before, ...saving }: Omit<EditInput<V>, 'now'> & { before: { [Field in keyof V]: unknown } },
): Promise<{ after: V; isChanged: boolean }> {
  const after = await mergeEdit(edit, { ...saving, now: { ...before } as Values })
  const isChanged = !same(before, after)
  if (isChanged) await noteChanges(edit, { ...before } as Values, { ...after } as Values)
  return { after, isChanged }
}

/**
 * Refuses an action that was decided on facts that count no more, such as a refund after another refund. `basis` has the
 * facts as the person saw them. A caller without a basis did not look, and is judged by the rules only.
 * @throws 409 `seen_otherwise` with the facts of now, if one of them differs
 */
export function refuseStale(basis: Values | undefined, now: Values, sentence: () => string): void {
  if (basis && Object.keys(now).some((fact) => fact in basis && !same(basis[fact], now[fact])))
    throw conflict('seen_otherwise', sentence(), { now })
}

/** Writes down who changed which fields. */
export async function noteChanges(
  { tx, clock, actor, company, subject }: Edit,
  before: Values,
  after: Values,
): Promise<void> {
  const { session } = actor
  const actor_name = session ? `${session.firstName} ${session.lastName}`.trim() : 'Mainstreet'
  const rows = Object.keys(after)
    .filter((field) => !same(before[field], after[field]))
    .map((field) => ({ company_id: company, subject, field, at: clock.now(), actor_name }))
  if (rows.length === 0) return
  await tx
    .insertInto('last_change')
    .values(rows)
    .onConflict((on) =>
      on
        .columns(['company_id', 'subject', 'field'])
        .doUpdateSet((row) => ({ at: row.ref('excluded.at'), actor_name: row.ref('excluded.actor_name') })),
    )
    .execute()
}

const lastChanges = ({ tx, company, subject }: Edit) =>
  tx
    .selectFrom('last_change')
    .select(['field', 'at', 'actor_name'])
    .where('company_id', '=', company)
    .where('subject', '=', subject)
    .execute()

/** For a form whose fields have other names than what is kept: `{ zip: 'zipcode' }`. */
export const namesFor = (fields: Readonly<Record<string, string>>) => ({
  /** The form's values under the names that are kept. */
  keptNames: (form: Values): Record<string, unknown> =>
    Object.fromEntries(Object.entries(fields).flatMap(([field, kept]) => (field in form ? [[kept, form[field]]] : []))),
  formName: (kept: string): string => Object.entries(fields).find(([, name]) => name === kept)?.[0] ?? kept,
})
