import { type Attachments, PART_BYTES } from '../shared/attachments.ts'
import type { ResponseOf, Endpoint } from '../shared/endpoint.ts'
import { translated } from '../shared/words.ts'
import { call, CallError, callWithFile } from './call.ts'
import { newKey } from './send-once.ts'

/** How far a file has come. `cut`: the connection broke, and is tried again by itself. */
export interface Progress {
  state: 'sending' | 'cut' | 'resumed'
  percent: number
}

/** A file, and the call that takes it. */
export interface FileUploadInput<E extends Endpoint> {
  takes: E
  by: Attachments
  file: File
  fields?: Record<string, string>
  /** For whoever keeps the file on the device: the key of its upload and of the call that takes it. */
  key?: string
}

/** What is told while a file is on its way, and how its sending is stopped. */
interface Watch {
  onProgress?: (progress: Progress) => void
  signal?: AbortSignal
  /** Where somebody else tries again later, a cut is thrown at once. */
  patient?: boolean
}

const STOPPED =
  'The upload was stopped. What has arrived is kept for a day: send the same file again, and it goes on from there.'
/** A part that takes longer counts as lost. */
const TIMEOUT_MS = 30_000
const WAITS_MS = [1000, 2000, 4000, 8000, 15_000]

/**
 * Sends a file with the call that takes it. A large one goes in parts first: one that was cut off, by the connection or
 * by leaving the page, goes on where it stopped.
 * @throws {CallError} whatever goes wrong, with a sentence that can be shown
 */
export async function sendFile<E extends Endpoint>(
  { takes, by: use, file, fields = {}, key: given }: FileUploadInput<E>,
  watch: Watch = {},
): Promise<ResponseOf<E>> {
  if (file.size <= PART_BYTES) return callWithFile(takes, fields, file, undefined, given)
  const key = given ?? keyOf(use, file)
  const company = fields['company'] === undefined ? {} : { company: fields['company'] }
  await sendParts({ use, file, key, company }, watch)
  const answer = await callWithFile(takes, { ...fields, upload: key }, null, undefined, given)
  if (!given) forget(use, file)
  return answer
}

interface Sending {
  use: Attachments
  file: File
  key: string
  company: { company?: string }
}

async function sendParts(sending: Sending, { onProgress, signal, patient = true }: Watch): Promise<void> {
  const { file } = sending
  let state: Progress['state'] = 'sending'
  let offset = 0
  let failures = 0
  const tell = () => onProgress?.({ state, percent: Math.floor((100 * offset) / file.size) })
  for (;;)
    try {
      offset = await begin(sending)
      if (offset > 0) state = 'resumed'
      tell()
      while (offset < file.size) {
        offset = await sendPart(sending, offset, signal)
        failures = 0
        tell()
      }
      return
    } catch (error) {
      if (signal?.aborted) throw new CallError(0, 'stopped', translated(STOPPED))
      const wait = WAITS_MS[failures++]
      if (!isCut(error) || wait === undefined || !patient) throw error
      state = 'cut'
      tell()
      await backOnline(wait, signal)
    }
}

async function begin({ use, file, key, company: { company } }: Sending): Promise<number> {
  const named = company === undefined ? {} : { companyId: company }
  const { offset } = await call(use.begin, { ...named, key, name: file.name.slice(-200), bytes: file.size })
  return offset
}

async function sendPart({ use, file, key, company }: Sending, offset: number, signal?: AbortSignal): Promise<number> {
  signal?.throwIfAborted()
  const part = file.slice(offset, offset + PART_BYTES)
  const late = AbortSignal.timeout(TIMEOUT_MS)
  const ends = signal ? AbortSignal.any([late, signal]) : late
  const sent = await callWithFile(use.sendPart, { ...company, key, offset: String(offset) }, part, ends)
  return sent.offset
}

/** Was the connection lost, or an answer, so that it is worth another try? */
const isCut = (error: unknown): boolean =>
  error instanceof CallError
    ? error.unreached || error.status >= 502 || error.code === 'other_offset'
    : error instanceof DOMException && error.name === 'TimeoutError'

/** A while, or until the browser says that the connection is back, or somebody stops it. */
const backOnline = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end)
    signal?.addEventListener('abort', end)
  })

/** The keys of what was begun, so that the same file, chosen again after a reload, goes on where it stopped. */
const MEMORY = 'mainstreet uploads'
const MAX_REMEMBERED = 10

const nameIn = ({ kind }: Attachments, { name, size, lastModified }: File) =>
  JSON.stringify([kind, name, size, lastModified])

function remembered(): [name: string, key: string][] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(MEMORY) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
  }
}

function keep(entries: [name: string, key: string][]): void {
  try {
    localStorage.setItem(MEMORY, JSON.stringify(entries.slice(-MAX_REMEMBERED)))
  } catch {
    // Without a memory a file begins anew after a reload.
  }
}

function keyOf(use: Attachments, file: File): string {
  const name = nameIn(use, file)
  const known = remembered().find(([other]) => other === name)?.[1]
  if (known !== undefined) return known
  const key = newKey()
  keep([...remembered(), [name, key]])
  return key
}

const forget = (use: Attachments, file: File): void => keep(remembered().filter(([name]) => name !== nameIn(use, file)))
