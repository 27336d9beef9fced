import type { FieldConflict } from '../../shared/edits.ts'
import { say } from '../../shared/messages.ts'
import { call, CallError, messageOf } from '../call.ts'
import { sendFile } from '../send-file.ts'
import { currentSession } from '../session.ts'
import { type Action, changeRecord, dropAction, nextActions, updateAction, ownerNow } from './outbox.ts'
import type { AnyPart } from './parts.ts'

/**
 * Reason that the server refused an action, with the conflicting fields. The server stores the action until staff
 * decide what to do with it.
 */
export interface RefusedAction {
  refusal: string
  fieldConflicts: FieldConflict[]
}

export interface SenderOptions {
  parts: ReadonlyMap<string, AnyPart>
  transfer: (action: Action, refused: RefusedAction) => Promise<void>
}

/**
 * Result of one attempt to send all actions. `waits` is true if the server was not reached or the session has ended.
 */
export interface SendResult {
  arrived: number
  transferred: number
  waits: boolean
}

const NOT_SENT: SendResult = { arrived: 0, transferred: 0, waits: true }

/** True if a later retry may succeed: the result is unknown, the server is busy, or the session has ended. */
const isLater = (error: unknown): boolean =>
  !(error instanceof CallError) ||
  error.unreached ||
  error.status >= 500 ||
  [401, 408, 425, 429].includes(error.status) ||
  error.code === 'in_flight' ||
  // Another tab uploaded a part of the same file, so a retry continues after that part.
  error.code === 'other_offset'

/** Sends waiting actions one after another in order of creation, from one tab at a time. */
export async function sendAll(options: SenderOptions): Promise<SendResult> {
  // In an old browser without locks, two tabs may send the same action. The action's key ensures that it runs once.
  if (!('locks' in navigator)) return sendEach(options)
  return navigator.locks.request('field outbox', { ifAvailable: true }, (lock) => (lock ? sendEach(options) : NOT_SENT))
}

async function sendEach(options: SenderOptions): Promise<SendResult> {
  const sent: SendResult = { arrived: 0, transferred: 0, waits: false }
  const stuck = new Set<number>()
  for (;;) {
    const next = (await nextActions()).find(({ seq }) => !stuck.has(seq))
    if (!next) return sent
    const action = next.tried ? next : { ...next, tried: true }
    if (!next.tried) await updateAction(next, { tried: true })
    // Another person may have signed in after the actions were read.
    if (action.owner !== ownerNow()) return { ...sent, waits: true }
    const { parts, transfer } = options
    try {
      await sendOne(action, parts)
      const me = currentSession()?.profileName ?? ''
      const after = parts.get(action.part)?.after
      if (after && !action.photo)
        await changeRecord(action.part, action.subjectId, (record) => after(record, action, me) as { id: number })
      await dropAction(action)
      sent.arrived += 1
    } catch (error) {
      if (isLater(error)) return { ...sent, waits: true }
      try {
        await transfer(action, refusedBy(error as CallError))
        await dropAction(action)
        sent.transferred += 1
      } catch (problem) {
        if (isLater(problem)) return { ...sent, waits: true }
        stuck.add(action.seq)
        await updateAction(action, { problem: messageOf(problem) })
      }
    }
  }
}

const refusedBy = (error: CallError): RefusedAction => ({
  refusal: error.message,
  fieldConflicts:
    error.code === 'edit_conflict' ? ((error.details['fieldConflicts'] as FieldConflict[] | undefined) ?? []) : [],
})

/**
 * Returns the upload key of an action's photo. A key belongs to one purpose, so the transfer of a refused photo needs a
 * second key. That key is the id's hexadecimal digits in reverse order, so that retries use the same key.
 */
export function uploadKeyOf({ id, photo }: Pick<Action, 'id' | 'photo'>, purpose: 'action' | 'transfer'): string {
  const key = photo?.key ?? id
  return purpose === 'action' ? key : [...key].toReversed().join('')
}

/** Error for an action that an older release created, if its part or call no longer exists. */
const unknown = () => new CallError(410, 'gone', say`This action is no longer available.`)

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

/** Time limit of a call in milliseconds. A slower call is sent again under the same idempotency key. */
const TIMEOUT_MS = 30_000
