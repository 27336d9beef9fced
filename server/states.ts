import { sql } from 'kysely'
import type { HistoryEntry } from '../shared/responses.ts'
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
import { say, translated } from '../shared/messages.ts'
import {
  auditCompany,
  auditEach,
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
  /** Name of the entity in messages. */
  name: string
  /** Number in the audit log, such as S1042. Only needed if it differs from the id. */
  number?: string
  /** Audit details that identify the entity. */
  details?: Record<string, unknown>
  /** The person affected. The transition appears in their activity log. */
  person?: number
}

/** A transition that is in progress. */
export interface Transition<S, E, H, F> {
  scope: Scope
  locked: H
  from: S
  to: S
  event: E
  at: Date
  actor: TransitionActor
  reason: string
  /** Other columns to write with the state, in the same statement. */
  patch: F | undefined
}

/**
 * Functions by event, which are checks or effects. `every` runs for all events, before the event's own function. `deps`
 * comes from the caller of `transition`.
 */
type ByEvent<S, E extends string, H, F, D, Result> = {
  readonly [Event in E | 'every']?: (tx: Tx, transition: Transition<S, E, H, F>, deps: D) => Promise<Result>
}

/**
 * Storage, checks and effects of a state machine. `D` is the type of the dependencies that checks and effects need, or
 * `undefined` for none.
 */
export interface StateStore<
  S extends StateName,
  E extends string,
  H extends LockedEntity<S>,
  F = undefined,
  D = undefined,
> {
  machine: StateMachine<S, E, NoInfer<E>>
  subject: SubjectKind
  /**
   * Reads the entity and locks its row, so that parallel transitions run one at a time.
   * @throws 404 if the entity does not exist
   */
  lock(tx: Tx, scope: Scope, id: number): Promise<H>
  write(tx: Tx, transition: Transition<S, E, H, F>): Promise<unknown>
  /** Chooses the target state if an event has several. Without it, the caller passes `to`. */
  targetState?(locked: H, event: E, at: Date): S
  /** Checks that need the database. They run before anything is written. A check that fails throws its error. */
  guard?: ByEvent<NoInfer<S>, NoInfer<E>, NoInfer<H>, NoInfer<F>, D, void>
  /**
   * Effects in the same transaction, after state and history are written, such as emails, jobs and documents. A
   * returned sentence is added to the transition's message.
   */
  effects?: ByEvent<NoInfer<S>, NoInfer<E>, NoInfer<H>, NoInfer<F>, D, string | void>
  /**
   * Topic of the live event for open screens. The event goes to the screens of the entity's company or, if `over` is
   * set, to the platform's screens.
   */
  live?: { topic: LiveEvent['topic']; over?: 'everywhere' }
}

// oxlint-disable-next-line typescript/no-explicit-any -- each store's declaration has the exact row type
export type AnyStateStore = StateStore<any, any, any, any, any>

/** All state stores that `transition` can use, by the name of their machine. */
export const stateStores = new Map<string, AnyStateStore>()

/** Declares storage, checks and effects of a machine, once for each machine. */
export function defineStateStore<
  S extends StateName,
  E extends string,
  H extends LockedEntity<S>,
  F = undefined,
  D = undefined,
>(store: StateStore<S, E, H, F, D>): StateStore<S, E, H, F, D> {
  const unnamed = Object.entries<{ audit?: string }>(store.machine.steps).find(([, { audit }]) => !audit)
  if (unnamed) throw new Error(`${store.machine.name}: '${unnamed[0]}' has no name in the audit log`)
  stateStores.set(store.machine.name, store)
  return store
}

/** The actor of a transition, as the history records it. */
export interface TransitionActor extends EdgeActor {
  caller: Actor
  clock: Clock
  /** Person who acts, if the call has no session. */
  person?: { id: number | null; name: string }
}

/** Returns the caller as an actor: staff or requester. */
export function actorOf(call: Call): TransitionActor {
  const { kind, privileges } = signedIn(call)
  return { as: kind === 'citizen' ? 'requester' : 'staff', privileges, caller: call, clock: call.context.clock }
}

/** Returns the id of the acting person. Null if the actor is not a known person. */
export const personOf = ({ person, caller }: TransitionActor): number | null =>
  person?.id ?? caller.session?.personId ?? null

interface TransitionRequest<S, E, H, F> {
  scope: Scope
  id: number
  /** Result of `lock`, if the caller has already locked the entity. */
  locked?: H
  event: E
  /** Target state. Needed only for an event with several target states. */
  to?: S | undefined
  actor: TransitionActor
  reason?: string | undefined
  detail?: Record<string, unknown>
  patch?: F
}

/** Adds the dependencies that the guard and effects need. `deps` may be null only for an event that has neither. */
type WithDeps<D> = [D] extends [undefined] ? { deps?: undefined } : { deps: D | null }

/**
 * Changes the state of an entity. All state changes use this function. It locks the entity and checks the transition
 * and its guard. Then it writes the state, history and audit log, notifies open screens and runs the effects. All of
 * this happens in the caller's transaction.
 * @throws 403 if not permitted, 409 if the state does not allow the event, 422 if a required reason is missing, or the
 * guard's error
 */
export async function transition<S extends StateName, E extends string, H extends LockedEntity<S>, F, D>(
  tx: Tx,
  store: StateStore<S, E, H, F, D>,
  request: TransitionRequest<S, E, H, F> & WithDeps<D>,
): Promise<Transition<S, E, H, F> & { message: string }> {
  const { scope, id, event, actor, reason = '', detail = {}, patch } = request
  const { machine } = store
  const step = machine.steps[event]
  if (!mayTake(step, actor)) throw notAllowed()
  const locked = request.locked ?? (await store.lock(tx, scope, id))
  const from = locked.state
  if (!step.from.includes(from)) throw refusal(machine, locked, actor)
  if (step.reason && reason.trim() === '') throw rejected(REASON_MISSING, { reason: REASON_MISSING })
  const at = actor.clock.now()
  const to = targetStateFor(machine, event, store.targetState?.(locked, event, at) ?? request.to)
  const transition: Transition<S, E, H, F> = { scope, locked, from, to, event, at, actor, reason, patch }
  const deps = request.deps as D
  const guards = handlersOf(store.guard, event)
  const effects = handlersOf(store.effects, event)
  if (deps === null && guards.length + effects.length > 0) throw new Error(`${machine.name}: '${event}' needs deps`)
  for (const guard of guards) await guard(tx, transition, deps)
  await store.write(tx, transition)
  await recordHistory(tx, store, { ...transition, detail })
  const messages = [
    step.done ? say`${locked.name} ${translated(step.done)}` : say`${locked.name}: ${translated(machine.labels[to])}.`,
  ]
  for (const effect of effects) messages.push((await effect(tx, transition, deps)) ?? '')
  return { ...transition, message: messages.filter(Boolean).join(' ') }
}

const handlersOf = <Handler>(
  handlers: { readonly [event: string]: Handler | undefined } = {},
  event: string,
): Handler[] => [handlers['every'], handlers[event]].filter((handler) => handler !== undefined)

/** Returns the target state of an event. If the event has several target states, the caller must name one. */
function targetStateFor<S extends StateName, E extends string>(
  { name, steps }: StateMachine<S, E>,
  event: E,
  wished?: S,
): S {
  const ends = targetsOf(steps[event])
  const end = wished ?? (ends.length === 1 ? ends[0] : undefined)
  if (end === undefined || !ends.includes(end)) throw new Error(`${name}: '${event}' does not lead to ${wished}`)
  return end
}

type CreationRecord<E> = Omit<TransitionRequest<never, E, never, undefined>, 'locked' | 'to' | 'reason' | 'patch'> &
  Pick<LockedEntity<unknown>, 'number' | 'person'> & {
    /** Named INSERTs for rows of the entity, which run in the same statement. */
    beside?: ExtraInserts
  }

/** Records the first state of an entity, in the transaction that creates it. */
export async function recordCreation<S extends StateName, E extends string, H extends LockedEntity<S>, F, D>(
  tx: Tx,
  store: StateStore<S, E, H, F, D>,
  { scope, event, actor, detail = {}, beside, ...locked }: CreationRecord<E>,
): Promise<void> {
  const to = targetStateFor(store.machine, event)
  const at = actor.clock.now()
  await recordHistory(tx, store, { scope, locked, from: NEW, to, event, at, reason: '', actor, detail, beside })
}

interface Creation<E> extends Pick<LockedEntity<unknown>, 'id' | 'number' | 'person'> {
  event: E
  detail?: Record<string, unknown>
}

/**
 * Records the first states of many new entities of a company in one statement, as `recordCreation` does for one. Open
 * screens get one notice.
 */
export async function recordCreations<S extends StateName, E extends string, H extends LockedEntity<S>, F, D>(
  tx: Tx,
  { machine, subject, live }: StateStore<S, E, H, F, D>,
  { company, actor }: { company: CompanyId; actor: TransitionActor },
  creations: readonly Creation<E>[],
): Promise<void> {
  const { party, name } = signatureOf(actor)
  const at = actor.clock.now()
  const last = creations.at(-1)
  if (!last) return
  // PostgreSQL sends equal notices of a transaction only once.
  const announcement = live && announcing(live.over ? PLATFORM : company, { topic: live.topic, id: last.id })
  const rows = creations.map(({ id, number, person, event, detail = {} }) => ({
    ...{ id, event, to: targetStateFor(machine, event) },
    entry: {
      ...{ action: machine.steps[event].audit as AuditAction, subject: { kind: subject, id: number ?? id }, detail },
      ...(person !== undefined && { person }),
    },
  }))
  const history = sql<object>`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id,
      actor_name, reason)
    SELECT ${company}::int, ${machine.name}, x.id, 1, ${NEW}, x.to, x.event, ${at}::timestamptz, ${party}, ${personOf(actor)}::bigint, ${name}, ''
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(id bigint, event text, "to" text)
    RETURNING ${announcement ?? sql`NULL`}`
  const entries = rows.map(({ entry }) => entry)
  await auditEach(tx, actor.clock, company, actor.caller, entries, { history })
}

const REASON_MISSING = 'Enter a reason.'

/**
 * Builds the error for an event that the current state does not allow. It names the current state and the events that
 * this party may trigger.
 */
function refusal<S extends StateName, E extends string>(
  machine: StateMachine<S, E>,
  { name, state }: LockedEntity<S>,
  actor: TransitionActor,
) {
  const labels = eventsFrom(machine, state, actor).flatMap((event) => machine.steps[event].label ?? [])
  const [now, can] = [translated(machine.labels[state]), labels.map(translated).join(', ')]
  const message = can
    ? say`${name} has the status “${now}”, so you cannot do this. Available actions: ${can}.`
    : say`${name} has the status “${now}”, so you cannot do this.`
  return conflict('wrong_status', message)
}

/** Returns a query for the transitions of an entity. The first transition is its creation. */
export const historyOf = (tx: Tx, machine: { name: string }, company: number, id: number) =>
  stepsOf(tx, machine, company).where('subject_id', '=', id)

const stepsOf = (tx: Tx, { name }: { name: string }, company: number) =>
  tx
    .selectFrom('status_history')
    .select(['seq', 'at', 'event', 'from_state', 'to_state', 'actor_name', 'reason'])
    .where(({ and }) => and({ company_id: company, machine: name }))
    .orderBy('seq')

/**
 * Lists the histories of several entities for staff, by entity id, oldest first. Entries show state, actor and reason.
 */
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
  scope: Scope
  locked: Omit<LockedEntity<S>, 'state' | 'name'>
  from: S | typeof NEW
  to: S
  event: E
  at: Date
  reason: string
  actor: TransitionActor
  detail: Record<string, unknown>
  beside?: ExtraInserts | undefined
}

/** Returns the kind and the name of an actor, as the history records them. */
function signatureOf(actor: TransitionActor) {
  const { session, kind, resident } = actor.caller
  const name = actor.person?.name ?? (session ? `${session.firstName} ${session.lastName}`.trim() : 'Mainstreet')
  const isUnknown = !session && !kind && resident === undefined
  return { name, party: isUnknown && actor.as === 'system' ? 'system' : partyOf(actor.caller) }
}

/** Writes history and audit log and notifies open screens, in one statement. */
async function recordHistory<S extends StateName, E extends string>(
  tx: Tx,
  { machine, subject, live }: Pick<AnyStateStore, 'machine' | 'subject' | 'live'>,
  {
    scope,
    locked: { id, number, person, details },
    from,
    to,
    event,
    at,
    reason,
    actor,
    detail,
    beside,
  }: HistoryInput<S, E>,
): Promise<void> {
  const { party, name } = signatureOf(actor)
  const announcement = live && announcing(live.over ? PLATFORM : scope, { topic: live.topic, id })
  const history = sql<object>`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id,
      actor_name, reason)
    SELECT ${scope}, ${machine.name}, ${id}, coalesce(max(seq), 0) + 1, ${String(from)}, ${String(to)}, ${event}, ${at}::timestamptz,
      ${party}, ${personOf(actor)}::bigint, ${name}, ${reason}
    FROM status_history WHERE company_id = ${scope} AND machine = ${machine.name} AND subject_id = ${id}
    RETURNING ${announcement ?? sql`NULL`}`
  const status = from === NEW ? {} : { status: { from, to } }
  const auditEntry: AuditEntry = {
    action: machine.steps[event]?.audit as AuditAction,
    subject: { kind: subject, id: number ?? id },
    detail: { ...details, ...status, ...(reason && { reason }), ...detail },
    ...(person !== undefined && { person }),
  }
  const more = { ...beside, history }
  await (scope === PLATFORM
    ? auditPlatform(tx, actor.clock, actor.caller, auditEntry, more)
    : auditCompany(tx, actor.clock, scope, actor.caller, auditEntry, more))
}
