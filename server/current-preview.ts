import { AsyncLocalStorage } from 'node:async_hooks'
import type { CompanyId, Tx } from './tenancy.ts'

/**
 * Preview of the portal by staff in the session of a temporary resident. Its rows are noted as those of an import, and
 * the end of the preview removes them. It charges nothing, starts no jobs, and only the staff member gets its emails.
 */
export interface ResidentPreview {
  /** Id of the record of its rows (`data_import`). */
  importId: number
  /** Email address of the staff member. */
  email: string
}

/** Emails about the preview. All other jobs of its calls would reach other people or systems. */
const PERMITTED_JOBS = /^(?:email|notices)\./

const running = new AsyncLocalStorage<ResidentPreview>()

/** Runs a call, of a preview if one is given. */
export const inPreview = <T>(preview: ResidentPreview | null | undefined, work: () => T): T =>
  preview ? running.run(preview, work) : work()

/** True if the current call belongs to a preview. */
export const isPreview = (): boolean => running.getStore() !== undefined

/** Returns the address that gets an email: in a preview, the staff member's. */
export const recipientOf = (to: string): string => running.getStore()?.email ?? to

/** True if the current call may start the job. */
export const mayStartJob = (name: string): boolean => !isPreview() || PERMITTED_JOBS.test(name)

type NoteRows = <T>(tx: Tx, company: CompanyId, preview: ResidentPreview, work: (tx: Tx) => Promise<T>) => Promise<T>
let noteRows: NoteRows = (tx, _company, _preview, work) => work(tx)

/** Sets how the portal notes the rows of each transaction of a preview. */
export const setNoteRows = (note: NoteRows): void => {
  noteRows = note
}

/** Runs a transaction of a preview and notes its rows. */
export const notePreviewRows: NoteRows = (...input) => noteRows(...input)
