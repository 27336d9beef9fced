/** What has states declares them once: from this table come labels, badges, schemas, CSV words, buttons and every move. */
import * as z from 'zod/mini'
import type { AuditAction } from './audit-actions.ts'
import { may, type PolicyName, type Privileges, type Right } from './privileges.ts'

/** What a state means to the person who reads it; `StatusBadge` has a picture and a tint for each. */
export type StatusKind = 'good' | 'waiting' | 'attention' | 'bad' | 'undone' | 'neutral'

export interface State {
  label: string
  kind: StatusKind
  /** Somebody still has to do something about it. */
  open?: boolean
}

/** Who takes a step: those who work here, whoever the thing is for, or nobody (a job, the payment provider). */
export type Party = 'staff' | 'requester' | 'system'

/** A state's name, as rows and calls have it. */
export type StateName = string | number

/** Stands in `status_edge` for what a thing was before it was there. */
export const NEW = ''

/** One event, and where it leads: from each state of `from` to `to`. */
export interface StateEdge<S extends StateName = StateName> {
  /** None: it is how a thing begins. */
  from: readonly S[]
  /** Several, where it depends on the thing which of them it is. */
  to: S | readonly S[]
  by: readonly Party[]
  /** Staff need it. */
  right?: readonly [PolicyName, Right]
  /** The step is not taken without one. */
  reason?: true
  /** What its button says. Without one there is no button. */
  label?: string
  /** The effect, asked before a step without a way back: its button opens a dialog. A step with a reason asks in its own dialog. */
  confirm?: string
  /** What is said once it is done, after the name of the thing: 'is locked and signed out.' */
  done?: string
  /** Under which name the audit log has it. */
  audit?: AuditAction
}

export interface StateMachine<S extends StateName = StateName, E extends string = string, B extends E = E> {
  readonly name: string
  readonly states: Readonly<Record<S, State>>
  readonly steps: Readonly<Record<E, StateEdge<S>>>
  readonly names: readonly S[]
  readonly labels: Readonly<Record<S, string>>
  /** The events that have a button. */
  readonly buttons: readonly B[]
  /** For contracts: one of the states, and one of the buttons. */
  readonly state: z.ZodMiniType<S, S>
  readonly button: z.ZodMiniType<B, B>
}

/** The names of a machine's states, of its events, and of those that have a button. */
export type StateOf<M> = M extends { names: readonly (infer S)[] } ? S : never
export type EventOf<M> = M extends { steps: Readonly<Record<infer E, StateEdge>> } ? E : never
export type ButtonOf<M> = M extends { buttons: readonly (infer B)[] } ? B : never

/** Every machine that there is, by its name. */
export const declaredMachines = new Map<string, StateMachine>()

/** Declares the states of a kind of thing, and every step between them. Nothing else may change its state. */
export function defineStateMachine<
  const States extends Readonly<Record<StateName, State>>,
  const Steps extends Readonly<Record<string, StateEdge<keyof States & StateName>>>,
>(name: string, { states, steps }: { states: States; steps: Steps }) {
  type S = keyof States & StateName
  type E = keyof Steps & string
  type B = { [Event in E]: Steps[Event] extends { label: string } ? Event : never }[E]
  const names = Object.keys(states).map((key) => (/^\d+$/.test(key) ? Number(key) : key)) as S[]
  const buttons = Object.keys(steps).filter((event) => steps[event]?.label) as B[]
  const machine: StateMachine<S, E, B> = {
    name,
    states,
    steps,
    names,
    labels: Object.fromEntries(names.map((state) => [state, states[state]?.label ?? ''])) as Record<S, string>,
    buttons,
    state: z.literal(names as (string | number)[]) as unknown as z.ZodMiniType<S, S>,
    button: z.enum(buttons) as unknown as z.ZodMiniType<B, B>,
  }
  declaredMachines.set(name, machine as unknown as StateMachine)
  return machine
}

/** Somebody who would take a step. */
export interface EdgeActor {
  as: Party
  /** Those of staff; others need none. */
  privileges?: Privileges
}

/** May this party take such a step at all, whatever the state? */
export const mayTake = ({ by, right }: StateEdge, { as, privileges = {} }: EdgeActor): boolean =>
  by.includes(as) && (as !== 'staff' || right === undefined || may(privileges, ...right))

/** The events that lead on from a state for this party: what `move` accepts of it. */
export const eventsFrom = <S extends StateName, E extends string>(
  { steps }: StateMachine<S, E>,
  state: S,
  mover: EdgeActor,
): E[] =>
  (Object.keys(steps) as E[]).filter((event) => steps[event].from.includes(state) && mayTake(steps[event], mover))

/** For each button, whether this party can press it: what a row tells its screen in `can`. */
export const buttonsFrom = <S extends StateName, E extends string, B extends E>(
  machine: StateMachine<S, E, B>,
  state: S,
  mover: EdgeActor,
): Record<B, boolean> => {
  const open: readonly string[] = eventsFrom(machine, state, mover)
  return Object.fromEntries(machine.buttons.map((event) => [event, open.includes(event)])) as Record<B, boolean>
}

export const targetsOf = <S extends StateName>({ to }: Pick<StateEdge<S>, 'to'>): readonly S[] =>
  typeof to === 'object' ? to : [to]

const REASON_REQUIRED = 'Say in 3 to 200 characters why.'
/** Of a step that wants one: for forms and contracts. */
export const stepReason = z.string().check(z.trim(), z.minLength(3, REASON_REQUIRED), z.maxLength(200, REASON_REQUIRED))

/** True if no step leads from the event's end back to a state in which it could be taken: it can't be undone. */
export function isFinal<S extends StateName, E extends string>({ steps }: StateMachine<S, E>, event: E): boolean {
  const from: readonly S[] = steps[event].from
  const reached = new Set<S>(targetsOf(steps[event]))
  for (const state of reached)
    for (const step of Object.values<StateEdge<S>>(steps))
      if (step.from.includes(state)) for (const next of targetsOf(step)) reached.add(next)
  return from.length > 0 && !from.some((state) => reached.has(state))
}

/** Every edge, as the table `status_edge` has it. */
export const edgesOf = ({ steps }: StateMachine): { from: string; to: string; event: string }[] =>
  Object.entries(steps).flatMap(([event, step]) =>
    (step.from.length === 0 ? [NEW] : step.from).flatMap((from) =>
      targetsOf(step).map((to) => ({ from: String(from), to: String(to), event })),
    ),
  )
