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

/** Whose thing it is: a town's, or (0, `PLATFORM`) the platform's own. */
export type Scope = CompanyId | 0

/** A thing whose row is locked. */
export interface LockedEntity<S> {
  id: number
  state: S
  /** What sentences call it. */
  name: string
  /** Its number in the audit log, where that is not its id: S1042. */
  number?: string
  /** What the audit log says of it, so that it can be told which one it was. */
  told?: Record<string, unknown>
  /** Whom it concerns: they read of the step in their own activity. */
  person?: number
}

/** A step as it is taken. */
export interface Transition<S, E, H, F> {
  place: Scope
  held: H
  from: S
  to: S
  event: E
  at: Date
  /** The person, where it is one that is known. */
  by: number | null
  reason: string
  /** What else is written with the state, in the same statement. */
  facts: F | undefined
}

/** How the things of a machine are kept: where their state stands, and what a step brings with it. */
export interface StateStore<S extends StateName, E extends string, H extends LockedEntity<S>, F = undefined> {
  machine: StateMachine<S, E, NoInfer<E>>
  subject: SubjectKind
  /** Reads it and locks its row, so that two who would move it take turns. @throws 404 */
  lock(tx: Tx, place: Scope, id: number): Promise<H>
  /** Writes `to`. */
  write(tx: Tx, taken: Transition<S, E, H, F>): Promise<unknown>
  /** Where an event leads of which the machine names several ends; else whoever takes the step says it. */
  leads?(held: H, event: E, at: Date): S
  /** What comes with it in the same transaction: sessions end, a mail goes out. */
  then?(tx: Tx, taken: Transition<S, E, H, F>): Promise<unknown>
  /** Which open screens hear of it; `over`: those that look at all towns, instead of the town's own. */
  live?: { topic: LiveEvent['topic']; over?: 'everywhere' }
}

// oxlint-disable-next-line typescript/no-explicit-any -- what each is about is known where it is declared
export type AnyStateStore = StateStore<any, any, any, any>

/** Every machine whose things `move` moves, by its name. */
export const stateStores = new Map<string, AnyStateStore>()

/** Declares how the things of a machine are kept, once for each. */
export function defineStateStore<S extends StateName, E extends string, H extends LockedEntity<S>, F = undefined>(
  keeping: StateStore<S, E, H, F>,
): StateStore<S, E, H, F> {
  const unnamed = Object.entries<{ audit?: string }>(keeping.machine.steps).find(([, { audit }]) => !audit)
  if (unnamed) throw new Error(`${keeping.machine.name}: '${unnamed[0]}' has no name in the audit log`)
  stateStores.set(keeping.machine.name, keeping)
  return keeping
}

/** Who takes a step, and what the histories say of them. */
export interface TransitionActor extends EdgeActor {
  actor: Actor
  clock: Clock
  /** Where there is no session to tell it. */
  known?: { id: number | null; name: string }
}

/** Whoever calls: staff, or whom the thing is for. */
export function actorOf(call: Call): TransitionActor {
  const { kind, privileges } = signedIn(call)
  return { as: kind === 'citizen' ? 'requester' : 'staff', privileges, actor: call, clock: call.context.clock }
}

const personOf = ({ known, actor }: TransitionActor): number | null => known?.id ?? actor.session?.personId ?? null

interface TransitionRequest<S, E, H, F> {
  place: Scope
  id: number
  /** What `lock` answers, of a caller who holds the thing already. */
  held?: H
  event: E
  /** Where it leads, of an event that has several ends. */
  to?: S | undefined
  who: TransitionActor
  reason?: string | undefined
  /** What else the audit log says of it. */
  detail?: Record<string, unknown>
  facts?: F
}

/**
 * The one way in which a thing changes its state. Holds the thing, judges the step, writes the state, its history and the
 * audit log, and tells open screens, all in the caller's transaction.
 * @throws 403 for a step that is not this party's, 409 with the thing's state where the step does not lead on from it,
 *   422 where its reason is missing
 */
export async function transition<S extends StateName, E extends string, H extends LockedEntity<S>, F>(
  tx: Tx,
  keeping: StateStore<S, E, H, F>,
  { place, id, event, to: wished, who, reason = '', detail = {}, facts, ...wish }: TransitionRequest<S, E, H, F>,
): Promise<Transition<S, E, H, F> & { message: string }> {
  const { machine } = keeping
  const step = machine.steps[event]
  if (!mayTake(step, who)) throw notAllowed()
  const held = wish.held ?? (await keeping.lock(tx, place, id))
  const from = held.state
  if (!step.from.includes(from)) throw refusal(machine, held, who)
  if (step.reason && reason.trim() === '') throw rejected(REASON_MISSING, { reason: REASON_MISSING })
  const at = who.clock.now()
  const to = endOf(machine, event, keeping.leads?.(held, event, at) ?? wished)
  const taken = { place, held, from, to, event, at, by: personOf(who), reason, facts }
  await keeping.write(tx, taken)
  await recordHistory(tx, keeping, { ...taken, who, detail })
  await keeping.then?.(tx, taken)
  const message = step.done
    ? say`${held.name} ${translated(step.done)}`
    : say`${held.name} is ${translated(machine.labels[to])} now.`
  return { ...taken, message }
}

/** The end of a step. Of several it has to be said which. */
function endOf<S extends StateName, E extends string>({ name, steps }: StateMachine<S, E>, event: E, wished?: S): S {
  const ends = targetsOf(steps[event])
  const end = wished ?? (ends.length === 1 ? ends[0] : undefined)
  if (end === undefined || !ends.includes(end)) throw new Error(`${name}: '${event}' does not lead to ${wished}`)
  return end
}

type CreationRecord<E> = Omit<TransitionRequest<never, E, never, undefined>, 'held' | 'to' | 'reason' | 'facts'> &
  Pick<LockedEntity<unknown>, 'number' | 'person'> & {
    /** The thing itself and what belongs to it, where it is written in the same statement. */
    beside?: ExtraInserts
  }

/** Writes down how a thing began, in the transaction that made it. */
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

/** Says which state the thing is in, and what this party can do with it there. */
function refusal<S extends StateName, E extends string>(
  machine: StateMachine<S, E>,
  { name, state }: LockedEntity<S>,
  who: TransitionActor,
) {
  const labels = eventsFrom(machine, state, who).flatMap((event) => machine.steps[event].label ?? [])
  const [now, can] = [translated(machine.labels[state]), labels.map(translated).join(', ')]
  const sentence = can
    ? say`${name} is ${now} now, so this can't be done. What can be done: ${can}.`
    : say`${name} is ${now} now, so this can't be done.`
  return conflict('wrong_status', sentence)
}

/** The steps that a thing took, the first being how it began. */
export const historyOf = (tx: Tx, machine: { name: string }, company: number, id: number) =>
  stepsOf(tx, machine, company).where('subject_id', '=', id)

const stepsOf = (tx: Tx, { name }: { name: string }, company: number) =>
  tx
    .selectFrom('status_history')
    .select(['seq', 'at', 'event', 'from_state', 'to_state', 'actor_name', 'reason'])
    .where(({ and }) => and({ company_id: company, machine: name }))
    .orderBy('seq')

/** The same as staff see it of things, by their ids, the oldest first: what each was from then on, whose doing that was, and why. */
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
  const shown = new Map<number, HistoryEntry[]>(ids.map((id) => [id, []]))
  for (const { subject_id, at, to_state, actor_name, reason } of steps)
    shown.get(subject_id)?.push({
      at: at.toISOString(),
      label: translated(machine.labels[to_state] ?? ''),
      by: actor_name,
      reason,
    })
  return shown
}

/** That of one thing. */
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

/** The history, the audit log, and the screens that are open, in one statement. */
async function recordHistory<S extends StateName, E extends string>(
  tx: Tx,
  { machine, subject, live }: Pick<AnyStateStore, 'machine' | 'subject' | 'live'>,
  { place, held: { id, number, person, told }, from, to, event, at, reason, who, detail, beside }: HistoryInput<S, E>,
): Promise<void> {
  const { session, kind, resident } = who.actor
  const name = who.known?.name ?? (session ? `${session.firstName} ${session.lastName}`.trim() : 'Mainstreet')
  const isUnknown = !session && !kind && resident === undefined
  const party = isUnknown && who.as === 'system' ? 'system' : partyOf(who.actor)
  const tell = live && announcing(live.over ? PLATFORM : place, { topic: live.topic, id })
  const history = sql<object>`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id,
      actor_name, reason)
    SELECT ${place}, ${machine.name}, ${id}, coalesce(max(seq), 0) + 1, ${String(from)}, ${String(to)}, ${event}, ${at}::timestamptz,
      ${party}, ${personOf(who)}::bigint, ${name}, ${reason}
    FROM status_history WHERE company_id = ${place} AND machine = ${machine.name} AND subject_id = ${id}
    RETURNING ${tell ?? sql`NULL`}`
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
