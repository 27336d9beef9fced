import type { Readable } from 'node:stream'
import { FileRefused } from '../../../server/file-refused.ts'
import { recordCreation, transition, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId } from '../../../server/tenancy.ts'
import {
  withImportLock,
  type Documents,
  type BillsResult,
  loadBillFile,
  type Loading,
} from '../../utility-accounts/api.ts'
import type { ImportSource } from '../rules.ts'
import { bySystem, changesOf, fileStateStore } from './file-store.ts'
import { countsOf, StoredLines } from './stored-lines.ts'

const CUT_OFF =
  'The portal stopped while importing this file. Lines imported before that point remain in the portal. Send the file again to import the rest.'

/** File from a program. The portal imports it immediately. */
export interface Arrival {
  name: string
  source: ImportSource
  sender: string
  actor: TransitionActor
}

export async function noteFile(
  deps: Loading,
  company: CompanyId,
  { name, source, sender, actor }: Arrival,
): Promise<number> {
  return deps.inCompany(company, async (tx) => {
    const { id } = await tx
      .insertInto('billing_file')
      .values({
        company_id: company,
        name: name.slice(0, 200),
        source,
        sender,
        received_at: deps.clock.now(),
        state: 'importing',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordCreation(tx, fileStateStore, {
      scope: company,
      id,
      event: 'receive',
      actor,
      detail: { file: name, source },
    })
    return id
  })
}

/**
 * Imports a file and records the result, for calls, folders and the command.
 * @param timeoutMs wait time for another import of the company
 * @throws FileRefused if the file is not readable as a whole, 409 if another import takes longer
 */
export async function takeFile(
  deps: Loading,
  company: CompanyId,
  arrival: Arrival,
  { open, documents }: { open: () => Readable; documents?: Documents },
  timeoutMs?: number,
): Promise<{ fileId: number; result: BillsResult }> {
  const work = async () => {
    await closeCutOff(deps, company)
    const fileId = await noteFile(deps, company, arrival)
    const result = await loadStored(deps, company, fileId, arrival, open(), documents)
    return { fileId, result }
  }
  return withImportLock(deps, company, work, timeoutMs)
}

async function loadStored(
  deps: Loading,
  company: CompanyId,
  fileId: number,
  { actor }: Arrival,
  input: Readable,
  documents?: Documents,
) {
  const lines = new StoredLines(company, fileId)
  const step = { scope: company, id: fileId, actor }
  try {
    const result = await loadBillFile(deps, company, input, {
      each: (tx, part) => lines.add(tx, part),
      changesIn: await changesOf(deps, company, fileId),
      ...(documents && { documents }),
    })
    const counts = { ...countsOf(result), lines_done: result.read }
    await deps.inCompany(company, (tx) =>
      transition(tx, fileStateStore, { ...step, event: 'finish', detail: counts, patch: counts }),
    )
    return result
  } catch (error) {
    if (error instanceof FileRefused) await refuse(deps, company, fileId, error.message, actor)
    throw error
  }
}

/** Records why a file was refused or not fully imported. */
export const refuse = (deps: Loading, company: CompanyId, id: number, problem: string, actor: TransitionActor) =>
  deps.inCompany(company, (tx) =>
    transition(tx, fileStateStore, {
      scope: company,
      id,
      event: 'refuse',
      actor,
      reason: problem,
      patch: { problem },
    }),
  )

/**
 * Closes interrupted imports. The caller holds the company's lock, so no other process still imports an earlier file
 * from a program.
 */
async function closeCutOff(deps: Loading, company: CompanyId): Promise<void> {
  const left = await deps.inCompany(company, (tx) =>
    tx
      .selectFrom('billing_file')
      .select('id')
      .where('company_id', '=', company)
      .where('state', '=', 'importing')
      .where('source', '!=', 'upload')
      .execute(),
  )
  const actor = bySystem(deps.clock, 'Mainstreet')
  for (const { id } of left) await refuse(deps, company, id, CUT_OFF, actor)
}
