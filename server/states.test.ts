import { afterAll, beforeEach, expect, test } from 'vitest'
import { testPortal } from '../test/harness.ts'
import { declaredMachines, defineStateMachine } from '../shared/machine.ts'
import { PLATFORM } from './audit.ts'
import { conflict } from './errors.ts'
import { recordCreation, defineStateStore, stateStores, transition, type TransitionActor } from './states.ts'

const portal = await testPortal()

/** A machine with numbers as states, like those of the specification. */
const parcelStates = defineStateMachine('parcel', {
  states: {
    0: { label: 'New', kind: 'attention', open: true },
    1: { label: 'Approved', kind: 'good' },
    2: { label: 'Rejected', kind: 'bad' },
  },
  steps: {
    arrive: { from: [], to: 0, by: ['requester'], audit: 'form.added' },
    approve: { from: [0], to: 1, by: ['staff'], label: 'Approve', done: 'was approved.', audit: 'form.activated' },
    reject: { from: [0], to: 2, by: ['staff'], label: 'Reject', reason: true, audit: 'form.inactivated' },
    return: { from: [1], to: [0, 2], by: ['staff'], audit: 'form.changed' },
    lose: { from: [1], to: 2, by: ['system'], audit: 'form.removed' },
  },
})
const states = new Map<number, 0 | 1 | 2>()
const notified: string[] = []
/** Error that the guard throws at the next transition. */
let refusal: Error | null = null
const parcels = defineStateStore({
  machine: parcelStates,
  subject: 'form',
  lock: async (_tx, _scope, id) => ({ id, name: `Parcel ${id}`, state: states.get(id) ?? 0 }),
  write: async (_tx, { locked, to }) => states.set(locked.id, to),
  guard: {
    every: async () => {
      if (refusal) throw refusal
    },
  },
  effects: {
    approve: async (_tx, { locked }, deps: { office: string } | undefined) => {
      notified.push('letter')
      return deps ? `${locked.name} goes to ${deps.office}.` : ''
    },
    every: async (_tx, { event, from, to, reason }) => void notified.push(`${event} ${from} ${to} ${reason}`),
  },
})
// Removes the test machine, because later test files check every declared machine.
afterAll(() => {
  declaredMachines.delete('parcel')
  stateStores.delete('parcel')
})
const actor: TransitionActor = {
  as: 'staff',
  caller: { session: null, requestId: '' },
  clock: portal.clock,
  person: { id: 7, name: 'Ann' },
}
const take = (event: 'approve' | 'reject' | 'lose' | 'return', more: object = {}) =>
  portal.context.acrossCompanies((tx) =>
    transition(tx, parcels, { scope: PLATFORM, id: 1, event, actor, deps: undefined, ...more }),
  )
const history = async () =>
  (await portal.owner.query(`SELECT * FROM status_history WHERE machine = 'parcel' ORDER BY subject_id, seq`)).rows

beforeEach(async () => {
  states.clear()
  notified.length = 0
  refusal = null
  await portal.owner.query(`DELETE FROM status_history; DELETE FROM status_edge WHERE machine = 'parcel';
    INSERT INTO status_edge (machine, from_state, to_state, event) VALUES
      ('parcel', '', '0', 'arrive'), ('parcel', '0', '1', 'approve'), ('parcel', '0', '2', 'reject'),
      ('parcel', '1', '0', 'return')`)
})

test('records actor, time and reason of creation and transitions in the history', async () => {
  await portal.context.acrossCompanies((tx) =>
    recordCreation(tx, parcels, { scope: PLATFORM, id: 1, event: 'arrive', actor }),
  )
  expect((await take('reject', { reason: 'Drawn twice.' })).message).toBe('Parcel 1: Rejected.')
  const at = portal.clock.now()
  const by = { company_id: 0, subject_id: 1, at, actor_kind: 'guest', actor_id: 7, actor_name: 'Ann' }
  expect(await history()).toMatchObject([
    { ...by, seq: 1, from_state: '', to_state: '0', event: 'arrive', reason: '' },
    { ...by, seq: 2, from_state: '0', to_state: '2', event: 'reject', reason: 'Drawn twice.' },
  ])
  expect(notified).toEqual(['reject 0 2 Drawn twice.'])
})

test('writes the number and the extra details to the audit log', async () => {
  const request = {
    scope: PLATFORM,
    id: 3,
    number: 'K3',
    event: 'arrive' as const,
    actor,
    detail: { by: 'boat' },
  } as const
  await portal.context.acrossCompanies((tx) => recordCreation(tx, parcels, request))
  const { rows } = await portal.owner.query(
    'SELECT action, subject_kind, subject, detail FROM platform_audit_event ORDER BY id DESC LIMIT 1',
  )
  expect(rows).toEqual([{ action: 'form.added', subject_kind: 'form', subject: 'K3', detail: { by: 'boat' } }])
})

const auditCount = async () =>
  (await portal.owner.query(`SELECT count(*)::int AS n FROM platform_audit_event`)).rows[0].n

test('writes nothing if the guard refuses', async () => {
  const before = await auditCount()
  refusal = conflict('parcel_open', 'Close the parcel first.')
  await expect(take('approve')).rejects.toBe(refusal)
  expect(states.size).toBe(0)
  expect(notified).toEqual([])
  expect(await history()).toEqual([])
  expect(await auditCount()).toBe(before)
})

test('asks the guard only about permitted transitions', async () => {
  refusal = conflict('parcel_open', 'Close the parcel first.')
  await expect(take('lose')).rejects.toMatchObject({ status: 403 })
  await expect(take('reject')).rejects.toMatchObject({ status: 422 })
  states.set(1, 2)
  await expect(take('approve')).rejects.toMatchObject({ code: 'wrong_status' })
})

test('runs effects of all events before those of the event', async () => {
  const { message } = await take('approve', { deps: { office: 'the clerk' } })
  expect(message).toBe('Parcel 1 was approved. Parcel 1 goes to the clerk.')
  expect(notified).toEqual(['approve 0 1 ', 'letter'])
})

test('refuses effects without their dependencies', async () => {
  await expect(take('approve', { deps: null })).rejects.toThrow("parcel: 'approve' needs deps")
  expect(await history()).toEqual([])
})

test('rejects an event without its required reason', async () => {
  await expect(take('reject', { reason: '  ' })).rejects.toMatchObject({
    ...{ status: 422, details: { fields: { reason: 'Enter a reason.' } } },
  })
  expect(states.size).toBe(0)
  expect((await take('approve')).message).toBe('Parcel 1 was approved.')
})

test('names the state and the possible events in a refusal', async () => {
  states.set(1, 2)
  await expect(take('approve')).rejects.toMatchObject({
    ...{ status: 409, code: 'wrong_status', message: 'Parcel 1 has the status “Rejected”, so you cannot do this.' },
  })
  await expect(take('lose', { actor: { ...actor, as: 'system' } })).rejects.toMatchObject({ status: 409 })
  states.set(1, 0)
  await expect(take('lose', { actor: { ...actor, as: 'system' } })).rejects.toMatchObject({
    message: 'Parcel 1 has the status “New”, so you cannot do this.',
  })
  await expect(take('lose')).rejects.toMatchObject({ status: 403 })
  expect(await history()).toEqual([])
})

test('rejects a transition missing from the database’s edge table', async () => {
  states.set(1, 1)
  await expect(take('lose', { actor: { ...actor, as: 'system' } })).rejects.toMatchObject({ code: '23503' })
  expect(await history()).toEqual([])
})

test('moves to the named target state if an event has several', async () => {
  for (const to of [undefined, 1]) {
    states.set(1, 1)
    await expect(take('return', { to })).rejects.toThrow(`parcel: 'return' does not lead to ${to}`)
  }
  await take('return', { to: 0 })
  expect(states.get(1)).toBe(0)
  await expect(take('approve', { to: 2 })).rejects.toThrow(`parcel: 'approve' does not lead to 2`)
})

test('does not read an entity again if the caller has locked it', async () => {
  states.set(1, 2)
  await take('approve', { locked: { id: 1, name: 'Parcel 1', state: 0 } })
  expect(states.get(1)).toBe(1)
})

test('builds schemas that accept only the machine’s states and buttons', () => {
  expect(parcelStates.state.safeParse(1).success).toBe(true)
  expect(parcelStates.state.safeParse('1').success).toBe(false)
  expect(parcelStates.state.safeParse(3).success).toBe(false)
  expect(parcelStates.buttons).toEqual(['approve', 'reject'])
  expect(parcelStates.button.safeParse('lose').success).toBe(false)
  expect(parcelStates.labels).toEqual({ 0: 'New', 1: 'Approved', 2: 'Rejected' })
})
