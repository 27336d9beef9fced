import { useEffect, useState } from 'react'
import type { RequestInputOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { askToKeep, installWorker } from '../../../web/field/install.ts'
import { rememberWho } from '../../../web/field/stored-session.ts'
import {
  type Action,
  type Day,
  keepAction,
  keepDay,
  nextActions,
  readKept,
  useKept,
} from '../../../web/field/outbox.ts'
import { type Act, type AnyPart, fieldParts, type FieldRecord } from '../../../web/field/parts.ts'
import { photoOf } from '../../../web/field/photo.ts'
import { type RefusedAction, sendAll, uploadKeyOf } from '../../../web/field/sender.ts'
import { sendFile } from '../../../web/send-file.ts'
import { currentSession } from '../../../web/session.ts'
import { conflictPhotos, keepConflict, keepConflictPhoto, returnFieldDay } from '../contract.ts'

/** What a phone waits before it tries again by itself; the last one again and again. */
const WAITS_MS = [5000, 15_000, 30_000, 60_000, 120_000, 300_000]

/** The server keeps what it refused; the photo with it. Both are done once, however often they are sent. */
async function handOver(action: Action, { refusal, collisions }: RefusedAction): Promise<void> {
  const { id, part, subjectId, subjectName, label, path, body, madeAt, photo } = action
  const kept: RequestInputOf<typeof keepConflict> = {
    ...{ id, part, subjectId, subjectName, label, body, madeAt, call: path },
    ...{ refusal: refusal.slice(0, 1000), collisions },
  }
  await call(keepConflict, kept, { idempotencyKey: id })
  if (!photo) return
  const file = new File([photo.blob], photo.name, { type: photo.blob.type })
  const key = uploadKeyOf(action, 'handover')
  await sendFile({ takes: keepConflictPhoto, by: conflictPhotos, file, fields: { id }, key }, { patient: false })
}

/** Brings what the crew has to do to this device. */
async function takeAlong(): Promise<void> {
  const { takenAt, today, things } = await call(returnFieldDay)
  await keepDay({ takenAt, today, things: things as Day['things'] })
  rememberWho()
}

export type Parts = ReadonlyMap<string, AnyPart>

/** The parts of all features, loaded with the screen since none can be loaded later without a connection. */
const loading: Promise<Parts> = Promise.resolve().then(async () => {
  const { parts } = await fieldParts.load()
  return new Map(parts.map((part) => [part.kind, part]))
})

let [running, again] = [false, false]
let fails = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Sends what waits, then takes along what is there by now; where the server is not reached, later once more. */
async function sync(renew: boolean): Promise<{ handedOver: number; reached: boolean }> {
  if (running) {
    again = true
    return { handedOver: 0, reached: true }
  }
  running = true
  clearTimeout(timer)
  try {
    const sent = await sendAll({ parts: await loading, handOver })
    if (!sent.waits && (renew || sent.arrived + sent.handedOver > 0)) await takeAlong()
    fails = sent.waits ? fails + 1 : 0
    return { handedOver: sent.handedOver, reached: !sent.waits }
  } catch {
    fails += 1
    return { handedOver: 0, reached: false }
  } finally {
    running = false
    // Something was done while it was sent.
    const waits = again || (await nextActions()).some(({ problem }) => !problem)
    const wait = again ? 0 : WAITS_MS[Math.min(fails, WAITS_MS.length) - 1]
    again = false
    if (waits && wait !== undefined) timer = setTimeout(() => void sync(false), wait)
  }
}

/** Is there a connection, as far as the browser knows? */
export function useOnline(): boolean {
  const [online, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const look = () => setOnline(navigator.onLine)
    addEventListener('online', look)
    addEventListener('offline', look)
    return () => {
      removeEventListener('online', look)
      removeEventListener('offline', look)
    }
  }, [])
  return online
}

/** All that the screen stands on. `onConflicts` is told how many met what others had done. */
export function useField(onConflicts: (count: number) => void) {
  const kept = useKept()
  const [parts, setParts] = useState<Parts | null>(null)
  const [busy, setBusy] = useState(true)
  /** Whether the browser promised to keep what is here; null while nobody asked. */
  const [promised, setPromised] = useState<boolean | null>(null)
  const [takeOver, setTakeOver] = useState<(() => void) | null>(null)
  const run = async (renew: boolean) => {
    setBusy(true)
    const { handedOver } = await sync(renew)
    if (handedOver > 0) onConflicts(handedOver)
    setBusy(false)
  }
  useEffect(() => {
    void loading.then(setParts)
    void readKept().then(() => run(true))
    void installWorker((put) => setTakeOver(() => put)).catch(() => {})
    void askToKeep().then(setPromised, () => setPromised(false))
    const back = () => void run(true)
    const seen = () => document.visibilityState === 'visible' && void run(false)
    addEventListener('online', back)
    document.addEventListener('visibilitychange', seen)
    return () => {
      removeEventListener('online', back)
      document.removeEventListener('visibilitychange', seen)
      clearTimeout(timer)
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once: what it calls reads what is kept by then
  }, [])
  const actFor =
    (kind: string, thing: FieldRecord): Act =>
    async (endpoint, body, label, photo) => {
      const subjectName = parts?.get(kind)?.nameOf(thing).slice(0, 200) ?? ''
      const kepts = photo ? { photo: await photoOf(photo) } : {}
      const draft = { path: endpoint.path, body: body as Record<string, unknown>, label: label.slice(0, 200) }
      await keepAction({ ...draft, ...kepts, part: kind, subjectId: thing.id, subjectName })
      void run(false)
    }
  return { ...kept, parts, busy, promised, takeOver, actFor, send: () => run(true) }
}

/** Things as they will be once all that waits has arrived. */
export function shownOf(parts: Parts, day: Day, actions: readonly Action[], kind: string): FieldRecord[] {
  const me = currentSession()?.profileName ?? ''
  const part = parts.get(kind)
  return (day.things[kind] ?? []).map((thing) =>
    actions
      .filter((action) => action.part === kind && action.subjectId === thing.id && !action.photo)
      .reduce<FieldRecord>((now, action) => part?.after(now, action, me) as FieldRecord, thing),
  )
}
