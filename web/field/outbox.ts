import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { useSyncExternalStore } from 'react'
import { newKey } from '../send-once.ts'
import { currentSession } from '../session.ts'
import { DAY_DATABASE } from './offline-data.ts'

/** A photo stored on the phone. `thumb`: a small version as a data URL. */
export interface StoredPhoto {
  blob: Blob
  name: string
  thumb: string
  /** Upload key of a photo that replaced another photo. Without this key, the upload key is the action's id. */
  key?: string
}

/** An action stored on this device until it is sent: an ordinary API call and its description. */
export interface Action {
  /** Sequence number in order of creation. */
  seq: number
  /** Id created on the device. Also the Idempotency-Key of its call and the upload key of its photo. */
  id: string
  owner: string
  path: string
  body: Record<string, unknown>
  photo?: StoredPhoto
  /** Description of the action. */
  label: string
  /** The record that the action changes: the field part that it belongs to (`parts.ts`), its id and its name. */
  part: string
  subjectId: number
  subjectName: string
  madeAt: string
  /** True if the action was sent and may have arrived. The action can then no longer be withdrawn. */
  tried: boolean
  /** Reason that the transfer to the server failed. The action stays on the device until the person handles it. */
  problem?: string
}
export type Draft = Omit<Action, 'seq' | 'id' | 'owner' | 'madeAt' | 'tried'>

/** Data downloaded for offline work, for one person in one company. */
export interface Day {
  owner: string
  takenAt: string
  today: string
  records: Record<string, { id: number }[]>
}

interface OutboxSchema extends DBSchema {
  actions: { key: number; value: Action }
}
interface DaySchema extends DBSchema {
  day: { key: string; value: Day }
}

/** Returns the owner of new actions. Actions of other owners are never sent. */
export function ownerNow(): string {
  const session = currentSession()
  return session ? `${session.companyId ?? ''}:${session.userId}` : ''
}

let outbox: Promise<IDBPDatabase<OutboxSchema>> | undefined
const openOutbox = () =>
  (outbox ??= openDB<OutboxSchema>('field-outbox', 1, {
    upgrade: (database) => void database.createObjectStore('actions', { keyPath: 'seq', autoIncrement: true }),
  }))

let days: Promise<IDBPDatabase<DaySchema>> | undefined
const openDays = () =>
  (days ??= openDB<DaySchema>(DAY_DATABASE, 1, {
    upgrade: (database) => void database.createObjectStore('day', { keyPath: 'owner' }),
    // The person signed out in another tab. This tab closes the database, so that the data is erased immediately.
    blocking: (_now, _next, event) => {
      ;(event.target as IDBDatabase).close()
      days = undefined
    },
  }))

interface OutboxState {
  actions: readonly Action[]
  day: Day | null
  /** True if the stored data has been read. */
  isRead: boolean
}
let current: OutboxState = { actions: [], day: null, isRead: false }
const listeners = new Set<() => void>()
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('field')

/** Reads the stored data of the signed-in person again. */
export async function readStored(): Promise<void> {
  const [actions, day] = await Promise.all([
    nextActions(),
    openDays().then((database) => database.get('day', ownerNow())),
  ])
  current = { actions, day: day ?? null, isRead: true }
  for (const listener of listeners) listener()
}
channel?.addEventListener('message', () => void readStored())

async function changed(): Promise<void> {
  await readStored()
  channel?.postMessage('changed')
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
/** Returns the waiting actions and the data for offline work. */
export const useOutbox = (): OutboxState => useSyncExternalStore(subscribe, () => current)

/** Stores an action until it is sent. Resolves when the action is on the device's disk. */
export async function storeAction(draft: Draft): Promise<void> {
  const database = await openOutbox()
  const action = { ...draft, id: newKey(), owner: ownerNow(), madeAt: new Date().toISOString(), tried: false }
  const transaction = database.transaction('actions', 'readwrite', { durability: 'strict' })
  await Promise.all([transaction.store.add(action as Action), transaction.done])
  await changed()
}

/** Lists the waiting actions of the signed-in person, in sending order. */
export async function nextActions(): Promise<Action[]> {
  const owner = ownerNow()
  return (await (await openOutbox()).getAll('actions')).filter((action) => action.owner === owner)
}

export const updateAction = (action: Action, changes: Partial<Action>): Promise<void> =>
  writeAction({ ...action, ...changes })

/** Updates a stored action only if it still exists, so that a discarded action does not return. */
async function writeAction(action: Action): Promise<void> {
  const transaction = (await openOutbox()).transaction('actions', 'readwrite')
  if (await transaction.store.get(action.seq)) await transaction.store.put(action)
  await transaction.done
  await changed()
}

export async function dropAction({ seq }: Action): Promise<void> {
  await (await openOutbox()).delete('actions', seq)
  await changed()
}

/** Replaces a refused photo. The new photo has a separate upload key. */
export const replacePhoto = ({ problem: _refused, ...action }: Action, photo: StoredPhoto): Promise<void> =>
  writeAction({ ...action, photo: { ...photo, key: newKey() } })

/** Withdraws an action that was never sent. @returns false if it is already being sent */
export async function undoAction({ seq }: Action): Promise<boolean> {
  const transaction = (await openOutbox()).transaction('actions', 'readwrite')
  const now = await transaction.store.get(seq)
  const isUnsent = now?.tried === false
  if (isUnsent) await transaction.store.delete(seq)
  await transaction.done
  await changed()
  return isUnsent
}

/** Stores the data for offline work. The new data replaces the data of other people and days. */
export async function storeDay(day: Omit<Day, 'owner'>): Promise<void> {
  const transaction = (await openDays()).transaction('day', 'readwrite')
  await transaction.store.clear()
  await Promise.all([transaction.store.put({ ...day, owner: ownerNow() }), transaction.done])
  await changed()
}

/** Updates the downloaded record after the server received an action on it. */
export async function changeRecord(part: string, id: number, change: (record: { id: number }) => { id: number }) {
  const transaction = (await openDays()).transaction('day', 'readwrite')
  const day = await transaction.store.get(ownerNow())
  if (day) {
    const records = (day.records[part] ?? []).map((record) => (record.id === id ? change(record) : record))
    await transaction.store.put({ ...day, records: { ...day.records, [part]: records } })
  }
  await transaction.done
}
