import { sql } from 'kysely'
import { createHash, type Hash } from 'node:crypto'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { BillsResult, Part } from '../../utility-accounts/api.ts'
import { MAX_LINES } from '../rules.ts'

/** Digest of the full result of a file. The import compares it with the digest of the preview. */
export class Digest {
  readonly #hash: Hash = createHash('sha256')

  add({ changes, invalidRows }: Part): void {
    this.#hash.update(JSON.stringify([changes, invalidRows]))
  }

  end(): Buffer {
    return this.#hash.digest()
  }
}

/** Writer that saves the first changed lines and the first invalid lines of a file. */
export class StoredLines {
  #changes = 0
  #invalidRows = 0
  readonly #company: CompanyId
  readonly #file: number

  constructor(company: CompanyId, file: number) {
    this.#company = company
    this.#file = file
  }

  async add(tx: Tx, part: Part): Promise<void> {
    const changes = part.changes.slice(0, MAX_LINES - this.#changes)
    const invalid = part.invalidRows.slice(0, MAX_LINES - this.#invalidRows)
    this.#changes += changes.length
    this.#invalidRows += invalid.length
    const none = { account: '', customer: '', bill: '', cents: null, before: null }
    const rows = [...changes, ...invalid.map((line) => ({ ...none, ...line, what: 'invalid' }))]
    if (rows.length === 0) return
    await sql`
      INSERT INTO billing_file_line (company_id, file_id, line, what, account, customer, bill, cents, before_cents, reason)
      SELECT ${this.#company}::int, ${this.#file}::bigint, x.* FROM unnest(${rows.map(({ line }) => line)}::int[],
        ${rows.map(({ what }) => what)}::text[], ${rows.map(({ account }) => account)}::text[],
        ${rows.map(({ customer }) => customer)}::text[], ${rows.map(({ bill }) => bill)}::text[],
        ${rows.map(({ cents }) => cents)}::bigint[], ${rows.map(({ before }) => before)}::bigint[],
        ${rows.map(({ reason }) => reason)}::text[]) AS x`.execute(tx)
  }
}

/** Returns the columns with the result of a file. */
export const countsOf = (result: BillsResult) => ({
  lines_read: result.read,
  error_count: result.errorCount,
  accounts_created: result.accountsCreated,
  accounts_updated: result.accountsUpdated,
  bills_created: result.billsCreated,
  bills_changed: result.billsChanged,
  bills_unchanged: result.billsUnchanged,
  billed_cents: result.billedCents,
  received_cents: result.receivedCents,
  adjustments_created: result.adjustmentsCreated,
  adjusted_cents: result.adjustedCents,
  shutoffs_changed: result.shutoffsChanged,
  documents_stored: result.documentsStored,
  documents_missing: result.documentsMissing,
})
