import type { Collision } from '../../shared/edits.ts'
import { say } from '../../shared/words.ts'
import { call, CallError, sentenceOf } from '../call.ts'
import { sendFile } from '../send-file.ts'
import { currentSession } from '../session.ts'
import { type Action, changeThing, dropAction, nextActions, noteAction, ownerNow } from './outbox.ts'
import type { AnyPart } from './parts.ts'

/** What was refused, as it is handed to the server, which keeps it until somebody chooses. */
export interface RefusedAction {
  refusal: string
  collisions: Collision[]
}

export interface SenderOptions {
  parts: ReadonlyMap<string, AnyPart>
  handOver: (action: Action, refused: RefusedAction) => Promise<void>
}

/** What came of one attempt to send all: `waits` where the server was not reached, or the session is over. */
export interface SendResult {
  arrived: number
  handedOver: number
  waits: boolean
}

const NOT_SENT: SendResult = { arrived: 0, handedOver: 0, waits: true }

/** Worth another try later: nobody knows whether it arrived, the server is busy, or the session is over. */
const isLater = (error: unknown): boolean =>
  !(error instanceof CallError) ||
  error.unreached ||
  error.status >= 500 ||
  [401, 408, 425, 429].includes(error.status) ||
  error.code === 'in_flight' ||
  // Another tab sent a part of it: it goes on from there.
  error.code === 'other_offset'

/** Sends what waits, one after another in the order in which it was made; one tab at a time. */
export async function sendAll(options: SenderOptions): Promise<SendResult> {
  // Without locks (an old browser) two tabs may send the same: it has one key, so that it is done once.
  if (!('locks' in navigator)) return sendEach(options)
  return navigator.locks.request('field outbox', { ifAvailable: true }, (lock) => (lock ? sendEach(options) : NOT_SENT))
}

async function sendEach(options: SenderOptions): Promise<SendResult> {
  const sent: SendResult = { arrived: 0, handedOver: 0, waits: false }
  const stuck = new Set<number>()
  for (;;) {
    const next = (await nextActions()).find(({ seq }) => !stuck.has(seq))
    if (!next) return sent
    const action = next.tried ? next : { ...next, tried: true }
    if (!next.tried) await noteAction(next, { tried: true })
    // Somebody else may have signed in meanwhile.
    if (action.owner !== ownerNow()) return { ...sent, waits: true }
    const { parts, handOver } = options
    try {
      await sendOne(action, parts)
      const me = currentSession()?.profileName ?? ''
      const after = parts.get(action.part)?.after
      if (after && !action.photo)
        await changeThing(action.part, action.subjectId, (thing) => after(thing, action, me) as { id: number })
      await dropAction(action)
      sent.arrived += 1
    } catch (error) {
      if (isLater(error)) return { ...sent, waits: true }
      try {
        await handOver(action, refusedBy(error as CallError))
        await dropAction(action)
        sent.handedOver += 1
      } catch (problem) {
        if (isLater(problem)) return { ...sent, waits: true }
        stuck.add(action.seq)
        await noteAction(action, { problem: sentenceOf(problem) })
      }
    }
  }
}

const refusedBy = (error: CallError): RefusedAction => ({
  refusal: error.message,
  collisions:
    error.code === 'changed_meanwhile' ? ((error.details['collisions'] as Collision[] | undefined) ?? []) : [],
})

/**
 * The upload key of an action's photo. A key belongs to one kind of file, so handing the photo over needs a second key. It
 * stays the same over retries: the id's hexadecimal digits in reverse order.
 */
export function uploadKeyOf({ id, photo }: Pick<Action, 'id' | 'photo'>, purpose: 'action' | 'handover'): string {
  const key = photo?.key ?? id
  return purpose === 'action' ? key : [...key].toReversed().join('')
}

/** Of a release that is gone. */
const unknown = () => new CallError(410, 'gone', say`This can not be done any more.`)

async function sendOne({ path, body, photo, part: kind, id }: Action, parts: SenderOptions['parts']): Promise<void> {
  const part = parts.get(kind)
  if (photo) {
    const use = part?.photos.find(({ takes }) => takes.path === path)
    if (!use) throw unknown()
    const file = new File([photo.blob], photo.name, { type: photo.blob.type })
    const key = uploadKeyOf({ id, photo }, 'action')
    await sendFile({ ...use, file, fields: body as Record<string, string>, key }, { patient: false })
    return
  }
  const endpoint = part?.calls.find((one) => one.path === path)
  if (!endpoint) throw unknown()
  await call(endpoint, body, { idempotencyKey: id, signal: AbortSignal.timeout(TIMEOUT_MS) })
}

/** A call that takes longer is sent again under the same key. */
const TIMEOUT_MS = 30_000
