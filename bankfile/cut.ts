import { createHash } from 'node:crypto'
import type { Client } from '../provider-kit/database.ts'
import { newId } from '../provider-kit/ids.ts'
import type { Originator } from './accounts.ts'
import { bankingDayAfter } from './banking-days.ts'
import type { BankfileDeps } from './deps.ts'
import type { EntryRow } from './entries.ts'
import { buildNachaFile, type NewBatch, traceOf } from './nacha/build-file.ts'
import { readNachaFile } from './nacha/read-file.ts'
import { type AccountType, transactionCode } from './nacha/transaction-codes.ts'
import { writeNachaFile } from './nacha/write-file.ts'
import { completeRefund } from './refunds.ts'
import type { Seal } from './seal.ts'

/**
 * Number of banking days to wait between a prenote (test entry) and the first debit. The bank may return the prenote in
 * this time.
 */
const PRENOTE_DAYS = 3
/**
 * Maximum number of entries in a file. A batch counts its entries and addenda with only six digits. Further entries
 * wait for the next file.
 */
const MAX_ENTRIES = 100_000

interface Due extends EntryRow {
  routing: string
  number_sealed: Buffer
  account_type: AccountType
  holder: string
  sequence: number
}

/**
 * Returns the file name. It includes the end of the file id, because two companies can have the same company number at
 * two banks.
 */
const nameOf = ({ company_id: company }: Originator, day: string, id: string): string =>
  `${company}-${day}-${id.slice(-6).replaceAll(/[^A-Za-z\d]/g, '0')}.ach`

/**
 * Creates a company's ACH file for a day from all entries that waited at the cutoff, in the caller's transaction.
 * Returns the file id, or null if no entry waited.
 */
export async function cutFile(
  deps: BankfileDeps,
  client: Client,
  originator: Originator,
  day: string,
): Promise<string | null> {
  const due = await takeDue(client, originator, day)
  if (due.length === 0) return null
  const effectiveOn = originator.same_day ? bankingDayAfter(day, 0) : bankingDayAfter(day, 1)
  const modifier = 'A'
  const file = buildNachaFile(
    {
      destination: originator.odfi_routing,
      destinationName: originator.odfi_name,
      origin: originator.immediate_origin,
      originName: originator.name,
    },
    { createdOn: day, createdAt: originator.cutoff, modifier },
    batchesOf(deps.seal, due, originator, effectiveOn),
  )
  const content = writeNachaFile(file)
  // Checks the file with our own reader, so that the bank never receives a wrong file.
  const { problems } = readNachaFile(content)
  if (problems.length > 0) throw new Error(`a file that was cut is wrong: ${problems[0]?.message}`)
  const id = newId('file')
  const { totalDebits, totalCredits, entryHash } = file.control.fields
  await client.query(
    `INSERT INTO file (id, account, name, day, modifier, effective_on, entries, entry_hash, debit_cents, credit_cents, content_sealed, sha256, cut_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      ...[id, originator.id, nameOf(originator, day, id), day, modifier, effectiveOn, due.length, entryHash],
      ...[
        totalDebits,
        totalCredits,
        deps.seal.close(content),
        createHash('sha256').update(content).digest('hex'),
        deps.clock.now(),
      ],
    ],
  )
  await assign(client, due, originator, id, effectiveOn)
  for (const entry of due) if (entry.kind === 'refund') await completeRefund(deps, client, entry)
  return id
}

/**
 * Locks the waiting entries and assigns their trace numbers. A debit waits while the prenote of its method is
 * pending.
 */
async function takeDue(client: Client, originator: Originator, day: string): Promise<Due[]> {
  const { rows } = await client.query<Due>(
    `WITH due AS (
       SELECT e.id FROM entry e WHERE e.account = $1 AND e.status = 'waiting'
         AND (e.created_at AT TIME ZONE $2) < ($3::date + $4::time)
         AND (e.kind <> 'debit' OR NOT EXISTS (SELECT FROM entry p WHERE p.stored_method = e.stored_method AND p.kind = 'prenote'
           AND p.status IN ('waiting', 'in_file')))
       ORDER BY e.id LIMIT ${MAX_ENTRIES} FOR UPDATE
     )
     SELECT e.*, d.routing, d.number_sealed, d.account_type, d.holder, nextval('trace_number')::int AS sequence
     FROM due JOIN entry e USING (id) JOIN detail d ON d.id = e.detail ORDER BY e.id`,
    [originator.id, originator.time_zone, day, originator.cutoff],
  )
  // Trace numbers must increase within a batch, even if the sequence has restarted.
  return rows.toSorted((a, b) => a.sequence - b.sequence)
}

function batchesOf(seal: Seal, due: readonly Due[], originator: Originator, effectiveOn: string): NewBatch[] {
  const kinds = new Map<string, Due[]>()
  for (const entry of due) {
    const kind = `${entry.sec_code} ${entry.kind}`
    kinds.set(kind, [...(kinds.get(kind) ?? []), entry])
  }
  return [...kinds.values()].map((entries): NewBatch => {
    const [first] = entries as [Due, ...Due[]]
    return {
      secCode: first.sec_code,
      companyName: originator.company_name,
      companyId: originator.company_id,
      entryDescription:
        first.kind === 'debit' ? originator.entry_description : first.kind === 'refund' ? 'REFUND' : 'PRENOTE',
      effectiveOn,
      odfi: originator.odfi_routing.slice(0, 8),
      entries: entries.map((entry) => ({
        transactionCode: transactionCode(
          entry.account_type,
          entry.kind === 'refund' ? 'credit' : 'debit',
          entry.kind === 'prenote' ? 'prenote' : 'live',
        ),
        routing: entry.routing,
        account: seal.open(entry.number_sealed),
        amountCents: entry.amount_cents,
        identification: String(entry.id),
        name: entry.holder,
        sequence: entry.sequence,
        ...(entry.payment_type && entry.sec_code === 'WEB' && { paymentType: entry.payment_type }),
      })),
    }
  })
}

const assign = (client: Client, due: readonly Due[], originator: Originator, file: string, effectiveOn: string) =>
  client.query(
    `UPDATE entry e SET status = 'in_file', file = $1, effective_on = $2, trace = t.trace,
       settles_on = CASE e.kind WHEN 'prenote' THEN $3::date ELSE $4::date END
     FROM unnest($5::bigint[], $6::text[]) AS t(id, trace) WHERE e.id = t.id`,
    [
      ...[
        file,
        effectiveOn,
        bankingDayAfter(effectiveOn, PRENOTE_DAYS),
        bankingDayAfter(effectiveOn, originator.settle_days),
      ],
      ...[due.map(({ id }) => id), due.map(({ sequence }) => traceOf(originator.odfi_routing.slice(0, 8), sequence))],
    ],
  )
