import { type Attachments, PART_BYTES } from '../shared/attachments.ts'
import type { ResponseOf, Endpoint } from '../shared/endpoint.ts'
import { translated } from '../shared/messages.ts'
import { call, CallError, callWithFile } from './call.ts'
import { newKey } from './send-once.ts'

/** Progress of a file upload. `cut`: the connection broke, and the upload retries automatically. */
export interface Progress {
  state: 'sending' | 'cut' | 'resumed'
  percent: number
}

/** File to upload, and the call that receives it. */
export interface FileUploadInput<E extends Endpoint> {
  takes: E
  by: Attachments
  file: File
  fields?: Record<string, string>
  /** Key of the upload and of the call. Needed if the device stores the file and sends it later. */
  key?: string
}

/** Progress callback and abort signal of an upload. */
interface Watch {
  onProgress?: (progress: Progress) => void
  signal?: AbortSignal
  /** False if the caller retries the upload itself. A lost connection then causes an error immediately. */
  patient?: boolean
}

const STOPPED =
  'The upload was stopped. The part already uploaded will be saved for one day. Upload the same file again to continue from there.'
/** Time limit for one part of a file, in milliseconds. A slower part counts as lost. */
const TIMEOUT_MS = 30_000
const WAITS_MS = [1000, 2000, 4000, 8000, 15_000]

/**
 * Uploads a file with the call that receives it. Sends a large file in parts. Resumes the upload after a lost
 * connection or a reload.
 * @throws {CallError} for any failure, with a message for the person
 */
export async function sendFile<E extends Endpoint>(
  { takes, by: use, file, fields = {}, key: chosenKey }: FileUploadInput<E>,
  watch: Watch = {},
): Promise<ResponseOf<E>> {
  if (file.size <= PART_BYTES) return callWithFile(takes, fields, file, undefined, chosenKey)
  const key = chosenKey ?? keyOf(use, file)
  const company = fields['company'] === undefined ? {} : { company: fields['company'] }
  await sendParts({ use, file, key, company }, watch)
  const response = await callWithFile(takes, { ...fields, upload: key }, null, undefined, chosenKey)
  if (!chosenKey) forget(use, file)
  return response
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
  const report = () => onProgress?.({ state, percent: Math.floor((100 * offset) / file.size) })
  for (;;)
    try {
      offset = await startSending(sending)
      if (offset > 0) state = 'resumed'
      report()
      while (offset < file.size) {
        offset = await sendPart(sending, offset, signal)
        failures = 0
        report()
      }
      return
    } catch (error) {
      if (signal?.aborted) throw new CallError(0, 'stopped', translated(STOPPED))
      const wait = WAITS_MS[failures++]
      if (!isCut(error) || wait === undefined || !patient) throw error
      state = 'cut'
      report()
      await backOnline(wait, signal)
    }
}

async function startSending({ use, file, key, company: { company } }: Sending): Promise<number> {
  const named = company === undefined ? {} : { companyId: company }
  const { offset } = await call(use.start, { ...named, key, name: file.name.slice(-200), bytes: file.size })
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

/** True if the connection or a response was lost, so that a retry may help. */
const isCut = (error: unknown): boolean =>
  error instanceof CallError
    ? error.unreached || error.status >= 502 || error.code === 'other_offset'
    : error instanceof DOMException && error.name === 'TimeoutError'

/** Waits until the time has passed, the browser is online again, or the upload is cancelled. */
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

/**
 * Storage key for the keys of started uploads. If the person chooses the same file again after a reload, its upload
 * resumes.
 */
const MEMORY = 'mainstreet uploads'
const MAX_REMEMBERED = 10

const nameIn = ({ kind }: Attachments, { name, size, lastModified }: File) =>
  JSON.stringify([kind, name, size, lastModified])

function remembered(): [name: string, key: string][] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(MEMORY) ?? '[]')
    return Array.isArray(stored) ? stored : []
  } catch {
    return []
  }
}

function store(entries: [name: string, key: string][]): void {
  try {
    localStorage.setItem(MEMORY, JSON.stringify(entries.slice(-MAX_REMEMBERED)))
  } catch {
    // If the browser blocks storage, an upload restarts after a reload.
  }
}

function keyOf(use: Attachments, file: File): string {
  const name = nameIn(use, file)
  const existing = remembered().find(([other]) => other === name)?.[1]
  if (existing !== undefined) return existing
  const key = newKey()
  store([...remembered(), [name, key]])
  return key
}

const forget = (use: Attachments, file: File): void =>
  store(remembered().filter(([name]) => name !== nameIn(use, file)))
