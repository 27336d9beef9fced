import { type EditConflict, type FieldConflict, mergeFields, same, type Values } from '../shared/edits.ts'
import { say } from '../shared/messages.ts'
import type { Actor } from './audit.ts'
import type { Clock } from './clock.ts'
import { conflict } from './errors.ts'
import type { Call } from './call.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/** Edit of one entity, in a transaction that locks the entity. */
export interface Edit {
  tx: Tx
  clock: Clock
  actor: Actor
  /** Owner of the entity: a company, or 0 (`PLATFORM` of audit.ts) for the platform. */
  company: CompanyId | 0
  /** Edited entity, for example 'person 17'. */
  subject: string
}

/** Creates the `Edit` of an entity in the call's company. */
export const editBy = (tx: Tx, call: Call, subject: string): Edit => ({
  tx,
  clock: call.context.clock,
  actor: call,
  company: call.company.id,
  subject,
})

interface EditInput<V> {
  /** Values in the form when it opened. Without these values, the sent values overwrite other people's changes. */
  basis: Values | undefined
  own: V
  now: Values
  /**
   * Returns labels for a field with an edit conflict and for its values. Only needed if the form's own labels are not
   * enough.
   */
  labelsOf?: (field: string, others: unknown, own: unknown) => Pick<FieldConflict, 'label' | 'texts'>
  /** Returns the form's name for a stored field. Only needed if the names differ. */
  formName?: (field: string) => string
  /** Name of a secret field. Responses never contain the values of this field. */
  secret?: string
}

/**
 * Merges the sent values with changes that other people made since the form opened.
 * @throws 409 `edit_conflict` if another person changed the same field
 */
export async function mergeEdit<V extends object>(edit: Edit, saving: EditInput<V>): Promise<V> {
  const { basis, now, labelsOf, secret, formName = (field) => field } = saving
  if (!basis) return saving.own
  const own = { ...saving.own } as Values
  const { merged, collided } = mergeFields(basis, own, now)
  if (collided.size === 0) return merged as V
  const changes = await lastChanges(edit)
  const fieldConflicts = [...collided].map(([field, both]): FieldConflict => {
    const change = changes.find((row) => row.field === field)
    return {
      field: formName(field),
      ...(field === secret ? { own: '', others: '' } : { own: own[field], others: now[field] }),
      ...(both !== null && { both }),
      ...{ by: change?.actor_name ?? '', at: change?.at.toISOString() ?? '' },
      ...labelsOf?.(field, now[field], own[field]),
    }
  })
  const viewOf = (values: Values): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(values).flatMap(([field, value]) => (field === secret ? [] : [[formName(field), value]])),
    )
  const [first] = fieldConflicts
  const actor = first?.by || say`Someone else`
  throw conflict(
    'edit_conflict',
    say`${actor} also made changes while you were editing. Your changes are not lost, but they are not saved yet. Choose which version to keep.`,
    { fieldConflicts, now: viewOf(now), merged: viewOf(merged) } satisfies EditConflict,
  )
}

/**
 * Merges the sent values with other people's changes. Audits the changed fields.
 * @param saving.before stored values, read under a lock
 * @returns The values to save, and true if they differ
 * @throws 409 `edit_conflict`, as `mergeEdit`
 */
export async function applyEdit<V extends object>(
  edit: Edit,
  { before, ...saving }: Omit<EditInput<V>, 'now'> & { before: { [Field in keyof V]: unknown } },
): Promise<{ after: V; isChanged: boolean }> {
  const after = await mergeEdit(edit, { ...saving, now: { ...before } as Values })
  const isChanged = !same(before, after)
  if (isChanged) await recordChanges(edit, { ...before } as Values, { ...after } as Values)
  return { after, isChanged }
}

/**
 * Refuses an action that a person based on outdated data, such as a refund after another refund. `basis` contains the
 * values that the person saw. Without `basis`, the function does nothing.
 * @throws 409 `seen_otherwise` with the current values, if a value differs
 */
export function refuseStale(basis: Values | undefined, now: Values, message: () => string): void {
  if (basis && Object.keys(now).some((fact) => fact in basis && !same(basis[fact], now[fact])))
    throw conflict('seen_otherwise', message(), { now })
}

/** Records who changed each field last, and when, for messages about edit conflicts. */
export async function recordChanges(
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

/**
 * Returns functions that convert between form field names and stored names. The argument maps form names to stored
 * names: `{ zip: 'zipcode' }`.
 */
export const namesFor = (fields: Readonly<Record<string, string>>) => ({
  /** Renames the form's values to the stored names. */
  storedNames: (form: Values): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([field, stored]) => (field in form ? [[stored, form[field]]] : [])),
    ),
  formName: (stored: string): string => Object.entries(fields).find(([, name]) => name === stored)?.[0] ?? stored,
})
