import { sql } from 'kysely'
import type { HistoryEntry } from '../shared/answers.ts'
import type { AuditAction, SubjectKind } from '../shared/audit-actions.ts'
import {
  eventsFrom,
  type StateMachine,
  mayTake,
  type EdgeActor,
  NEW,
  type StateName,
  targetsOf,
} from '../shared/machine.ts'
import { say, translated } from '../shared/words.ts'
import {
  auditCompany,
  auditPlatform,
  type ExtraInserts,
  type AuditEntry,
  type Actor,
  partyOf,
  PLATFORM,
} from './audit.ts'
import { type Call, signedIn } from './call.ts'
import type { Clock } from './clock.ts'
import { conflict, notAllowed, rejected } from './errors.ts'
import { announcing, type LiveEvent } from './live.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/** Owner of an entity: a company, or 0 (`PLATFORM`) for the platform. */
export type Scope = CompanyId | 0

/** An entity with its row locked. */
export interface LockedEntity<S> {
  id: number
  state: S
  /** Name of the entity in sentences. */
  name: string
  /** Number in the audit log if it is not the id: S1042. */
  number?: string
  /** Audit details that identify the entity. */
  told?: Record<string, unknown>
  /** The person affected. The transition appears in their activity log. */
  person?: number
}

/** A transition in progress. */
export interface Transition<S, E, H, F> {
  place: Scope
  held: H
  from: S
  to: S
  event: E
  at: Date
  /** Null if the actor is not a known person. */
  by: number | null
  reason: string
  /** Other columns to write with the state, in the same statement. */
  patch: F | undefined
}

/** Storage and side effects of a state machine. */
export interface StateStore<S extends StateName, E extends string, H extends LockedEntity<S>, F = undefined> {
  machine: StateMachine<S, E, NoInfer<E>>
  subject: SubjectKind
  /** Reads the entity and locks its row, so that parallel transitions run one after the other. @throws 404 */
  lock(tx: Tx, place: Scope, id: number): Promise<H>
  write(tx: Tx, taken: Transition<S, E, H, F>): Promise<unknown>
  /** Chooses the target state if an event has several. Without it, the caller passes `to`. */
  leads?(held: H, event: E, at: Date): S
  /** Side effects in the same transaction, such as ending sessions or queuing an email. */
  then?(tx: Tx, taken: Transition<S, E, H, F>): Promise<unknown>
  /** Live event for open screens. `over` notifies the screens of all companies instead of the company's own. */
  live?: { topic: LiveEvent['topic']; over?: 'everywhere' }
}

// oxlint-disable-next-line typescript/no-explicit-any -- what each is about is known where it is declared
export type AnyStateStore = StateStore<any, any, any, any>

/** Every machine that `move` can use, by name. */
export const stateStores = new Map<string, AnyStateStore>()

/** Declares storage and side effects of a machine, once for each machine. */
export function defineStateStore<S extends StateName, E extends string, H extends LockedEntity<S>, F = undefined>(
  keeping: StateStore<S, E, H, F>,
): StateStore<S, E, H, F> {
  const unnamed = Object.entries<{ audit?: string }>(keeping.machine.steps).find(([, { audit }]) => !audit)
  if (unnamed) throw new Error(`${keeping.machine.name}: '${unnamed[0]}' has no name in the audit log`)
  stateStores.set(keeping.machine.name, keeping)
  return keeping
}

/** The actor of a transition, as the history records it. */
export interface TransitionActor extends EdgeActor {
  actor: Actor
  clock: Clock
  /** The actor if the call has no session. */
  known?: { id: number | null; name: string }
}

/** Returns the caller as an actor: staff or requester. */
export function actorOf(call: Call): TransitionActor {
  const { kind, privileges } = signedIn(call)
  return { as: kind === 'citizen' ? 'requester' : 'staff', privileges, actor: call, clock: call.context.clock }
}

const personOf = ({ known, actor }: TransitionActor): number | null => known?.id ?? actor.session?.personId ?? null

interface TransitionRequest<S, E, H, F> {
  place: Scope
  id: number
  /** Result of `lock`, if the caller has already locked the entity. */
  held?: H
  event: E
  /** Target state, for an event that has several. */
  to?: S | undefined
  who: TransitionActor
  reason?: string | undefined
  detail?: Record<string, unknown>
  facts?: F
}

/**
 * Changes the state of an entity. All state changes use this function. It locks the entity, checks the transition,
 * writes state, history and audit log, and notifies open screens. All in the caller's transaction.
 * @throws 403 if not permitted, 409 if the event does not fit the state, 422 without its required reason
 */
export async function transition<S extends StateName, E extends string, H extends LockedEntity<S>, F>(
  tx: Tx,
  keeping: StateStore<S, E, H, F>,
  { place, id, event, to: wished, who, reason = '', detail = {}, facts, ...wish }: TransitionRequest<S, E, H, F>,
): Promise<Transition<S, E, H, F> & { message: string }> {
  const { machine } = keeping
  const step = machine.steps[event]
  if (!mayTake(step, who)) throw notAllowed()
  const locked = wish.held ?? (await keeping.lock(tx, place, id))
  const from = locked.state
  if (!step.from.includes(from)) throw refusal(machine, locked, who)
  if (step.reason && reason.trim() === '') throw rejected(REASON_MISSING, { reason: REASON_MISSING })
  const at = who.clock.now()
  const to = endOf(machine, event, keeping.leads?.(locked, event, at) ?? wished)
  const transition = { place, held: locked, from, to, event, at, by: personOf(who), reason, patch: facts }
  await keeping.write(tx, transition)
  await recordHistory(tx, keeping, { ...transition, who, detail })
  await keeping.then?.(tx, transition)
  const message = step.done
    ? say`${locked.name} ${translated(step.done)}`
    : say`${locked.name} is ${translated(machine.labels[to])} now.`
  return { ...transition, message }
}

/** Returns the target state of an event. If the event has several, the caller must name one. */
function endOf<S extends StateName, E extends string>({ name, steps }: StateMachine<S, E>, event: E, wished?: S): S {
  const ends = targetsOf(steps[event])
  const end = wished ?? (ends.length === 1 ? ends[0] : undefined)
  if (end === undefined || !ends.includes(end)) throw new Error(`${name}: '${event}' does not lead to ${wished}`)
  return end
}

type CreationRecord<E> = Omit<TransitionRequest<never, E, never, undefined>, 'held' | 'to' | 'reason' | 'facts'> &
  Pick<LockedEntity<unknown>, 'number' | 'person'> & {
    /** Rows of the entity to write in the same statement. */
    beside?: ExtraInserts
  }

/** Records the first state of an entity, in the transaction that creates it. */
export async function recordCreation<S extends StateName, E extends string, H extends LockedEntity<S>, F>(
  tx: Tx,
  keeping: StateStore<S, E, H, F>,
  { place, event, who, detail = {}, beside, ...held }: CreationRecord<E>,
): Promise<void> {
  const to = endOf(keeping.machine, event)
  await recordHistory(tx, keeping, {
    place,
    held,
    from: NEW,
    to,
    event,
    at: who.clock.now(),
    reason: '',
    who,
    detail,
    beside,
  })
}

const REASON_MISSING = 'Say why.'

/** Builds the error that names the current state and this party's possible events. */
function refusal<S extends StateName, E extends string>(
  machine: StateMachine<S, E>,
  { name, state }: LockedEntity<S>,
  who: TransitionActor,
) {
  const labels = eventsFrom(machine, state, who).flatMap((event) => machine.steps[event].label ?? [])
  const [now, can] = [translated(machine.labels[state]), labels.map(translated).join(', ')]
  const message = can
    ? say`${name} is ${now} now, so this can't be done. What can be done: ${can}.`
    : say`${name} is ${now} now, so this can't be done.`
  return conflict('wrong_status', message)
}

/** Selects the transitions of an entity. The first is its creation. */
export const historyOf = (tx: Tx, machine: { name: string }, company: number, id: number) =>
  stepsOf(tx, machine, company).where('subject_id', '=', id)

const stepsOf = (tx: Tx, { name }: { name: string }, company: number) =>
  tx
    .selectFrom('status_history')
    .select(['seq', 'at', 'event', 'from_state', 'to_state', 'actor_name', 'reason'])
    .where(({ and }) => and({ company_id: company, machine: name }))
    .orderBy('seq')

/** Lists the histories of several entities for staff, by entity id, oldest first: state, actor and reason. */
export async function loadHistories(
  tx: Tx,
  machine: { name: string; labels: Record<string, string> },
  company: number,
  ids: readonly number[],
): Promise<Map<number, HistoryEntry[]>> {
  const steps = await stepsOf(tx, machine, company)
    .select('subject_id')
    .where('subject_id', '=', sql<number>`ANY (${[...ids]}::bigint[])`)
    .execute()
  const histories = new Map<number, HistoryEntry[]>(ids.map((id) => [id, []]))
  for (const { subject_id, at, to_state, actor_name, reason } of steps)
    histories.get(subject_id)?.push({
      at: at.toISOString(),
      label: translated(machine.labels[to_state] ?? ''),
      by: actor_name,
      reason,
    })
  return histories
}

/** Lists the history of one entity for staff. */
export const loadHistory = async (
  tx: Tx,
  machine: { name: string; labels: Record<string, string> },
  company: number,
  id: number,
): Promise<HistoryEntry[]> => (await loadHistories(tx, machine, company, [id])).get(id) ?? []

interface HistoryInput<S, E> {
  place: Scope
  held: Omit<LockedEntity<S>, 'state' | 'name'>
  from: S | typeof NEW
  to: S
  event: E
  at: Date
  reason: string
  who: TransitionActor
  detail: Record<string, unknown>
  beside?: ExtraInserts | undefined
}

/** Writes history and audit log and notifies open screens, in one statement. */
async function recordHistory<S extends StateName, E extends string>(
  tx: Tx,
  { machine, subject, live }: Pick<AnyStateStore, 'machine' | 'subject' | 'live'>,
  { place, held: { id, number, person, told }, from, to, event, at, reason, who, detail, beside }: HistoryInput<S, E>,
): Promise<void> {
  const { session, kind, resident } = who.actor
  const name = who.known?.name ?? (session ? `${session.firstName} ${session.lastName}`.trim() : 'Mainstreet')
  const isUnknown = !session && !kind && resident === undefined
  const party = isUnknown && who.as === 'system' ? 'system' : partyOf(who.actor)
  const announcement = live && announcing(live.over ? PLATFORM : place, { topic: live.topic, id })
  const history = sql<object>`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id,
      actor_name, reason)
    SELECT ${place}, ${machine.name}, ${id}, coalesce(max(seq), 0) + 1, ${String(from)}, ${String(to)}, ${event}, ${at}::timestamptz,
      ${party}, ${personOf(who)}::bigint, ${name}, ${reason}
    FROM status_history WHERE company_id = ${place} AND machine = ${machine.name} AND subject_id = ${id}
    RETURNING ${announcement ?? sql`NULL`}`
  const status = from === NEW ? {} : { status: { from, to } }
  const auditEntry: AuditEntry = {
    action: machine.steps[event]?.audit as AuditAction,
    subject: { kind: subject, id: number ?? id },
    detail: { ...told, ...status, ...(reason && { reason }), ...detail },
    ...(person !== undefined && { person }),
  }
  const more = { ...beside, history }
  await (place === PLATFORM
    ? auditPlatform(tx, who.clock, who.actor, auditEntry, more)
    : auditCompany(tx, who.clock, place, who.actor, auditEntry, more))
}
