import type { Readable } from 'node:stream'
import { FileRefused } from '../../../server/csv-records.ts'
import { recordCreation, transition, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId } from '../../../server/tenancy.ts'
import { aloneInTown } from '../../utility-accounts/server/alone-in-town.ts'
import type { Documents } from '../../utility-accounts/server/documents.ts'
import { type BillsResult, loadBillFile } from '../../utility-accounts/server/import-bills.ts'
import type { Loading } from '../../utility-accounts/server/import-file.ts'
import type { ImportSource } from '../rules.ts'
import { bySystem, keptFiles } from './keeping.ts'
import { countsOf, KeptLines } from './stored-lines.ts'

const CUT_OFF =
  'The portal ended while it took this file over. What had been taken over stays; send the file again for the rest.'

/** A file that a program sends, which is taken over at once. */
export interface Arrival {
  name: string
  way: ImportSource
  sender: string
  who: TransitionActor
}

/** Writes down that a file is here. */
export async function noteFile(
  means: Loading,
  company: CompanyId,
  { name, way, sender, who }: Arrival,
): Promise<number> {
  return means.inCompany(company, async (tx) => {
    const { id } = await tx
      .insertInto('billing_file')
      .values({
        company_id: company,
        name: name.slice(0, 200),
        way,
        sender,
        received_at: means.clock.now(),
        state: 'taking',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordCreation(tx, keptFiles, { place: company, id, event: 'receive', who, detail: { file: name, way } })
    return id
  })
}

/**
 * Takes a file over and keeps what became of it: the one way for calls, folders and the command.
 * @param patienceMs how long it waits while another file of the town is taken
 * @throws FileRefused for a file that can't be read as a whole, 409 where another one takes longer
 */
export async function takeFile(
  means: Loading,
  company: CompanyId,
  arrival: Arrival,
  { open, documents }: { open: () => Readable; documents?: Documents },
  patienceMs?: number,
): Promise<{ fileId: number; result: BillsResult }> {
  const work = async () => {
    await closeCutOff(means, company)
    const fileId = await noteFile(means, company, arrival)
    const result = await loadKept(means, company, fileId, arrival, open(), documents)
    return { fileId, result }
  }
  return aloneInTown(means, company, work, patienceMs)
}

async function loadKept(
  means: Loading,
  company: CompanyId,
  fileId: number,
  { who }: Arrival,
  input: Readable,
  documents?: Documents,
) {
  const lines = new KeptLines(company, fileId)
  const step = { place: company, id: fileId, who }
  try {
    const result = await loadBillFile(means, company, input, {
      each: (tx, part) => lines.add(tx, part),
      ...(documents && { documents }),
    })
    const facts = { ...countsOf(result), lines_done: result.read }
    await means.inCompany(company, (tx) =>
      transition(tx, keptFiles, { ...step, event: 'finish', detail: facts, facts }),
    )
    return result
  } catch (error) {
    if (error instanceof FileRefused) await refuse(means, company, fileId, error.message, who)
    throw error
  }
}

/** Says of a file why nothing of it, or not all of it, was taken over. */
export const refuse = (means: Loading, company: CompanyId, id: number, problem: string, who: TransitionActor) =>
  means.inCompany(company, (tx) =>
    transition(tx, keptFiles, { place: company, id, event: 'refuse', who, reason: problem, facts: { problem } }),
  )

/** Whoever is alone in the town knows that nobody is at work on what programs sent before: their portal ended. */
async function closeCutOff(means: Loading, company: CompanyId): Promise<void> {
  const left = await means.inCompany(company, (tx) =>
    tx
      .selectFrom('billing_file')
      .select('id')
      .where('company_id', '=', company)
      .where('state', '=', 'taking')
      .where('way', '!=', 'upload')
      .execute(),
  )
  const who = bySystem(means.clock, 'Mainstreet')
  for (const { id } of left) await refuse(means, company, id, CUT_OFF, who)
}
