import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { useSyncExternalStore } from 'react'
import { newKey } from '../send-once.ts'
import { currentSession } from '../session.ts'
import { DAY_DATABASE } from './who-took.ts'

/** A photo as the phone keeps it. `thumb`: small, as an address that holds all of it. */
export interface StoredPhoto {
  blob: Blob
  name: string
  thumb: string
  /** Upload key of a photo that replaced another. Without it, the upload key is the action's id. */
  key?: string
}

/** Something that was done on this device and has to be sent: an ordinary call of the product, in words as well. */
export interface Action {
  /** In the order in which they were made. */
  seq: number
  /** Made here; the Idempotency-Key of its call, and the key of its photo's upload. */
  id: string
  owner: string
  path: string
  body: Record<string, unknown>
  photo?: StoredPhoto
  /** What was done, in words. */
  label: string
  /** Which thing it was done to: its part (`parts.ts`), id and name. */
  part: string
  subjectId: number
  subjectName: string
  madeAt: string
  /** It was sent, and perhaps arrived: it can't be taken back any more. */
  tried: boolean
  /** Why it could not even be handed over; it stays here until somebody looks. */
  problem?: string
}
export type Draft = Omit<Action, 'seq' | 'id' | 'owner' | 'madeAt' | 'tried'>

/** What was taken along, of one person in one town. */
export interface Day {
  owner: string
  takenAt: string
  today: string
  things: Record<string, { id: number }[]>
}

interface OutboxSchema extends DBSchema {
  actions: { key: number; value: Action }
}
interface DaySchema extends DBSchema {
  day: { key: string; value: Day }
}

/** Whose actions these are: another person's are never sent. */
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
    // Somebody signed out in another tab: what was taken along is erased at once.
    blocking: (_now, _next, event) => {
      ;(event.target as IDBDatabase).close()
      days = undefined
    },
  }))

interface OutboxState {
  actions: readonly Action[]
  day: Day | null
  /** Is what is kept on this device known yet? */
  isRead: boolean
}
let kept: OutboxState = { actions: [], day: null, isRead: false }
const listeners = new Set<() => void>()
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('field')

/** Reads anew what is kept, for whoever is signed in. */
export async function readKept(): Promise<void> {
  const [actions, day] = await Promise.all([
    nextActions(),
    openDays().then((database) => database.get('day', ownerNow())),
  ])
  kept = { actions, day: day ?? null, isRead: true }
  for (const listener of listeners) listener()
}
channel?.addEventListener('message', () => void readKept())

async function changed(): Promise<void> {
  await readKept()
  channel?.postMessage('changed')
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
/** What waits on this device, and what was taken along. */
export const useKept = (): OutboxState => useSyncExternalStore(subscribe, () => kept)

/** Keeps what somebody did until it was sent. It is on the device's disk when this resolves. */
export async function keepAction(draft: Draft): Promise<void> {
  const database = await openOutbox()
  const action = { ...draft, id: newKey(), owner: ownerNow(), madeAt: new Date().toISOString(), tried: false }
  const transaction = database.transaction('actions', 'readwrite', { durability: 'strict' })
  await Promise.all([transaction.store.add(action as Action), transaction.done])
  await changed()
}

/** What waits of whoever is signed in, in the order in which it is sent. */
export async function nextActions(): Promise<Action[]> {
  const owner = ownerNow()
  return (await (await openOutbox()).getAll('actions')).filter((action) => action.owner === owner)
}

export const noteAction = (action: Action, changes: Partial<Action>): Promise<void> =>
  writeAction({ ...action, ...changes })

/** Writes an action that is still here: a discarded one must not come back. */
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

/** Puts another photo in the place of one that was refused. The new photo has an upload of its own. */
export const replacePhoto = ({ problem: _refused, ...action }: Action, photo: StoredPhoto): Promise<void> =>
  writeAction({ ...action, photo: { ...photo, key: newKey() } })

/** Takes back what was never sent. @returns false where it is on its way by now */
export async function takeBack({ seq }: Action): Promise<boolean> {
  const transaction = (await openOutbox()).transaction('actions', 'readwrite')
  const now = await transaction.store.get(seq)
  const isMine = now?.tried === false
  if (isMine) await transaction.store.delete(seq)
  await transaction.done
  await changed()
  return isMine
}

/** Keeps what was taken along; of nobody else, and of no other day. */
export async function keepDay(day: Omit<Day, 'owner'>): Promise<void> {
  const transaction = (await openDays()).transaction('day', 'readwrite')
  await transaction.store.clear()
  await Promise.all([transaction.store.put({ ...day, owner: ownerNow() }), transaction.done])
  await changed()
}

/** What arrived counts in what was taken along as well. */
export async function changeThing(part: string, id: number, change: (thing: { id: number }) => { id: number }) {
  const transaction = (await openDays()).transaction('day', 'readwrite')
  const day = await transaction.store.get(ownerNow())
  if (day) {
    const things = (day.things[part] ?? []).map((thing) => (thing.id === id ? change(thing) : thing))
    await transaction.store.put({ ...day, things: { ...day.things, [part]: things } })
  }
  await transaction.done
}
