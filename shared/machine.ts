/**
 * State machines. Each is declared once. Its labels, badges, schemas, CSV texts, buttons and transitions all come from
 * that declaration.
 */
import * as z from 'zod/mini'
import type { AuditAction } from './audit-actions.ts'
import { may, type PrivilegeName, type Privileges, type Permission } from './privileges.ts'

/** Meaning of a state for the reader. `StatusBadge` has an icon and a tint for each meaning. */
export type StatusKind = 'good' | 'waiting' | 'attention' | 'bad' | 'undone' | 'neutral'

export interface State {
  label: string
  kind: StatusKind
  /** True if an entity in this state still needs work. */
  open?: boolean
}

/** Party that triggers an event: staff, the requester, or the system (a job or the payment provider). */
export type Party = 'staff' | 'requester' | 'system'

/** State as stored in rows and sent in calls. */
export type StateName = string | number

/** The `from_state` of a new entity in `status_edge`. */
export const NEW = ''

/** Event that moves an entity from any state of `from` to `to`. */
export interface StateEdge<S extends StateName = StateName> {
  /** Source states. Empty if the event creates the entity. */
  from: readonly S[]
  /** Target state. If the target depends on the entity, a list of possible states. */
  to: S | readonly S[]
  by: readonly Party[]
  /** Permission that staff need for the event. */
  permission?: readonly [PrivilegeName, Permission]
  /** True if the event requires a reason. */
  reason?: true
  /** Label of the button. Without a label, the event has no button. */
  label?: string
  /**
   * Effect of an irreversible event, shown in a confirmation dialog. Not needed for events that require a reason,
   * because they use the reason dialog.
   */
  confirm?: string
  /** Message after the event, without the entity's name, which comes first: 'is locked and signed out.' */
  done?: string
  /** Action name in the audit log. */
  audit?: AuditAction
}

export interface StateMachine<S extends StateName = StateName, E extends string = string, B extends E = E> {
  readonly name: string
  readonly states: Readonly<Record<S, State>>
  readonly steps: Readonly<Record<E, StateEdge<S>>>
  readonly names: readonly S[]
  readonly labels: Readonly<Record<S, string>>
  readonly buttons: readonly B[]
  /** Schemas for contracts: one for the states, and one for the events with a button. */
  readonly state: z.ZodMiniType<S, S>
  readonly button: z.ZodMiniType<B, B>
}

/** Types of a machine's names: its states, its events, and its events with a button. */
export type StateOf<M> = M extends { names: readonly (infer S)[] } ? S : never
export type EventOf<M> = M extends { steps: Readonly<Record<infer E, StateEdge>> } ? E : never
export type ButtonOf<M> = M extends { buttons: readonly (infer B)[] } ? B : never

export const declaredMachines = new Map<string, StateMachine>()

/** Declares the states of an entity and all transitions between them. No other code may change its state. */
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

/** Party that triggers an event. */
export interface EdgeActor {
  as: Party
  /** Privileges of staff. Other parties need no privileges. */
  privileges?: Privileges
}

/** True if this party may trigger this event. Does not check the state. */
export const mayTake = ({ by, permission }: StateEdge, { as, privileges = {} }: EdgeActor): boolean =>
  by.includes(as) && (as !== 'staff' || permission === undefined || may(privileges, ...permission))

/** Lists the events that this party may trigger in a state. */
export const eventsFrom = <S extends StateName, E extends string>(
  { steps }: StateMachine<S, E>,
  state: S,
  mover: EdgeActor,
): E[] =>
  (Object.keys(steps) as E[]).filter((event) => steps[event].from.includes(state) && mayTake(steps[event], mover))

/** Returns for each button whether this party may use it. The result is sent to the screen as `can` in each row. */
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

const REASON_REQUIRED = 'Enter a reason of 3 to 200 characters.'
/** Schema of a required reason, for forms and contracts. */
export const stepReason = z.string().check(z.trim(), z.minLength(3, REASON_REQUIRED), z.maxLength(200, REASON_REQUIRED))

/** True if the event can't be undone, because no later event leads back to a state of `from`. */
export function isFinal<S extends StateName, E extends string>({ steps }: StateMachine<S, E>, event: E): boolean {
  const from: readonly S[] = steps[event].from
  const reached = new Set<S>(targetsOf(steps[event]))
  for (const state of reached)
    for (const step of Object.values<StateEdge<S>>(steps))
      if (step.from.includes(state)) for (const next of targetsOf(step)) reached.add(next)
  return from.length > 0 && !from.some((state) => reached.has(state))
}

/** Lists all transitions of a machine, as rows for the table `status_edge`. */
export const edgesOf = ({ steps }: StateMachine): { from: string; to: string; event: string }[] =>
  Object.entries(steps).flatMap(([event, step]) =>
    (step.from.length === 0 ? [NEW] : step.from).flatMap((from) =>
      targetsOf(step).map((to) => ({ from: String(from), to: String(to), event })),
    ),
  )

/** Returns the states of entities that still need work. */
export const openStatesOf = <S extends StateName>({ names, states }: Pick<StateMachine<S>, 'names' | 'states'>): S[] =>
  names.filter((name) => states[name].open === true)
