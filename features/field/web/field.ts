import { useEffect, useState } from 'react'
import type { RequestInputOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { requestPersistence, installWorker } from '../../../web/field/install.ts'
import { rememberOwner } from '../../../web/field/stored-session.ts'
import {
  type Action,
  type Day,
  storeAction,
  storeDay,
  nextActions,
  readStored,
  useOutbox,
} from '../../../web/field/outbox.ts'
import { type Act, type AnyPart, fieldParts, type FieldRecord } from '../../../web/field/parts.ts'
import { photoOf } from '../../../web/field/photo.ts'
import { type RefusedAction, sendAll, uploadKeyOf } from '../../../web/field/sender.ts'
import { sendFile } from '../../../web/send-file.ts'
import { currentSession } from '../../../web/session.ts'
import { conflictPhotos, saveConflict, keepConflictPhoto, returnFieldDay } from '../contract.ts'

/** Delays before automatic retries. The last delay repeats. */
const WAITS_MS = [5000, 15_000, 30_000, 60_000, 120_000, 300_000]

/** Sends a refused action and its photo to the server as a sync conflict. Both calls are idempotent. */
async function transferRefused(action: Action, { refusal, fieldConflicts }: RefusedAction): Promise<void> {
  const { id, part, subjectId, subjectName, label, path, body, madeAt, photo } = action
  const conflictRequest: RequestInputOf<typeof saveConflict> = {
    id,
    part,
    subjectId,
    subjectName,
    label,
    body,
    madeAt,
    call: path,
    refusal: refusal.slice(0, 1000),
    fieldConflicts,
  }
  await call(saveConflict, conflictRequest, { idempotencyKey: id })
  if (!photo) return
  const file = new File([photo.blob], photo.name, { type: photo.blob.type })
  const key = uploadKeyOf(action, 'transfer')
  await sendFile({ takes: keepConflictPhoto, by: conflictPhotos, file, fields: { id }, key }, { patient: false })
}

/** Downloads the crew's work to this device. */
async function downloadDay(): Promise<void> {
  const { takenAt, today, records } = await call(returnFieldDay)
  await storeDay({ takenAt, today, records: records as Day['records'] })
  rememberOwner()
}

export type Parts = ReadonlyMap<string, AnyPart>

/** Field parts of all features. Loaded with the screen, because nothing can be loaded offline later. */
const loading: Promise<Parts> = Promise.resolve().then(async () => {
  const { parts } = await fieldParts.load()
  return new Map(parts.map((part) => [part.kind, part]))
})

let [running, again] = [false, false]
let fails = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Sends waiting actions, then downloads the current data. If the server is not reachable, retries later. */
async function sync(needsRefresh: boolean): Promise<{ transferred: number; reached: boolean }> {
  if (running) {
    again = true
    return { transferred: 0, reached: true }
  }
  running = true
  clearTimeout(timer)
  try {
    const sent = await sendAll({ parts: await loading, transfer: transferRefused })
    if (!sent.waits && (needsRefresh || sent.arrived + sent.transferred > 0)) await downloadDay()
    fails = sent.waits ? fails + 1 : 0
    return { transferred: sent.transferred, reached: !sent.waits }
  } catch {
    fails += 1
    return { transferred: 0, reached: false }
  } finally {
    running = false
    // `again` is true if an action was added during the sync.
    const waits = again || (await nextActions()).some(({ problem }) => !problem)
    const wait = again ? 0 : WAITS_MS[Math.min(fails, WAITS_MS.length) - 1]
    again = false
    if (waits && wait !== undefined) timer = setTimeout(() => void sync(false), wait)
  }
}

export function useOnline(): boolean {
  const [online, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const updateOnline = () => setOnline(navigator.onLine)
    addEventListener('online', updateOnline)
    addEventListener('offline', updateOnline)
    return () => {
      removeEventListener('online', updateOnline)
      removeEventListener('offline', updateOnline)
    }
  }, [])
  return online
}

/** State of the screen. `onConflicts` receives the number of new sync conflicts. */
export function useField(onConflicts: (count: number) => void) {
  const storedActions = useOutbox()
  const [parts, setParts] = useState<Parts | null>(null)
  const [busy, setBusy] = useState(true)
  /** True if the browser granted persistent storage. Null before the request. */
  const [persisted, setPersisted] = useState<boolean | null>(null)
  const [takeOver, setTakeOver] = useState<(() => void) | null>(null)
  const run = async (needsRefresh: boolean) => {
    setBusy(true)
    const { transferred } = await sync(needsRefresh)
    if (transferred > 0) onConflicts(transferred)
    setBusy(false)
  }
  useEffect(() => {
    void loading.then(setParts)
    void readStored().then(() => run(true))
    void installWorker((put) => setTakeOver(() => put)).catch(() => {})
    void requestPersistence().then(setPersisted, () => setPersisted(false))
    const back = () => void run(true)
    const seen = () => document.visibilityState === 'visible' && void run(false)
    addEventListener('online', back)
    document.addEventListener('visibilitychange', seen)
    return () => {
      removeEventListener('online', back)
      document.removeEventListener('visibilitychange', seen)
      clearTimeout(timer)
    }
    // oxlint-disable-next-line react/exhaustive-deps -- runs once, because it reads the current stored values
  }, [])
  const actFor =
    (kind: string, record: FieldRecord): Act =>
    async (endpoint, body, label, photo) => {
      const subjectName = parts?.get(kind)?.nameOf(record).slice(0, 200) ?? ''
      const storedPhoto = photo ? { photo: await photoOf(photo) } : {}
      const draft = { path: endpoint.path, body: body as Record<string, unknown>, label: label.slice(0, 200) }
      await storeAction({ ...draft, ...storedPhoto, part: kind, subjectId: record.id, subjectName })
      void run(false)
    }
  return { ...storedActions, parts, busy, persisted, takeOver, actFor, send: () => run(true) }
}

/** Returns records as they will be after all waiting actions without a photo are sent. */
export function visibleRecords(parts: Parts, day: Day, actions: readonly Action[], kind: string): FieldRecord[] {
  const me = currentSession()?.profileName ?? ''
  const part = parts.get(kind)
  return (day.records[kind] ?? []).map((record) =>
    actions
      .filter((action) => action.part === kind && action.subjectId === record.id && !action.photo)
      .reduce<FieldRecord>((now, action) => part?.after(now, action, me) as FieldRecord, record),
  )
}
