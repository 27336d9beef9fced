import { sql } from 'kysely'
import { validateFile } from '../../../server/attachments/validate.ts'
import { attach, type ReceivedFile, removeFiles, scanFile, type Sender } from '../../../server/attachments/keep.ts'
import { Refusal } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { type FileRules, PDF } from '../../../shared/file-types.ts'
import type { BillRecord } from './bill-layout.ts'
import type { Change } from './load-bills.ts'

/** File rules for bill PDFs from the billing system. */
export const billDocuments = {
  kind: 'bill-document',
  subject: 'utility_bill_document',
  accepts: [PDF],
  maxBytes: 5 * 1024 * 1024,
  maxFiles: 1,
  unsupportedType: 'The file is not a PDF.',
  unnamed: 'bill',
} as const satisfies FileRules & { subject: string }

/** Reads a PDF that was sent along with a billing file, by name. Null if the sender omitted it. */
export type ArchiveReader = (name: string) => Promise<Buffer | null>

/** Counts of stored and missing bill PDFs. */
export interface LoadedDocuments {
  documentsStored: number
  documentsMissing: number
  changes: Change[]
}

const NOT_ALONG = 'was not included. The portal will create the bill PDF instead.'

/**
 * Stores the PDFs that a billing file names. Checks and stores each PDF before the transaction that loads its bill, so
 * that no transaction waits for the malware scanner or file storage. A preview stores none. Never replaces an existing
 * PDF, because an issued bill must not change.
 */
export class Documents {
  readonly #sender: Sender
  readonly #along: ArchiveReader
  /**
   * Problem found in each checked file, by file name. Empty for a valid file. An import does not check the files again
   * after its preview.
   */
  readonly #problems = new Map<string, string>()
  /** Stored files by bill number, until the transaction of the bills has ended. */
  readonly #stored = new Map<string, ReceivedFile>()
  readonly #attached = new Set<string>()
  /** Names of PDFs that the portal has stored. Their uploaded copies are no longer needed. */
  readonly used = new Set<string>()

  constructor(sender: Sender, along: ArchiveReader) {
    this.#sender = sender
    this.#along = along
  }

  async prepare(company: CompanyId, bills: readonly BillRecord[], isPreview: boolean): Promise<void> {
    await this.finish()
    const named = bills.filter(({ document }) => document !== '')
    if (named.length === 0) return
    const here = await this.#sender.context.readingCompany(company, (tx) => findNumbersWithDocument(tx, company, named))
    for (const bill of named) {
      if (here.has(bill.bill_number) || this.#stored.has(bill.bill_number)) continue
      const problem = this.#problems.get(bill.document)
      if (problem === undefined || (problem === '' && !isPreview)) await this.#judge(company, bill, isPreview)
    }
  }

  async #judge(company: CompanyId, { bill_number, document }: BillRecord, isPreview: boolean): Promise<void> {
    const { context } = this.#sender
    try {
      const content = await this.#along(document)
      if (!content) return void this.#problems.set(document, NOT_ALONG)
      const checked = await validateFile({ ...billDocuments, caller: String(company) }, { name: document, content })
      this.#problems.set(document, '')
      if (isPreview) return
      const state = await scanFile(this.#sender, billDocuments, company, checked)
      const { contentType, name, preview, takenAt } = checked
      const stored = await context.files.write(company, checked.content)
      this.#stored.set(bill_number, {
        ...stored,
        contentType,
        name,
        preview,
        takenAt,
        use: billDocuments,
        owner: company,
        state,
        call: this.#sender,
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#problems.set(document, say`was not saved. ${error.message} The portal will create the bill PDF instead.`)
    }
  }

  /** Links the stored PDFs to their bills in the transaction that loads the bills. Returns counts and missing files. */
  async keep(tx: Tx, company: CompanyId, bills: readonly BillRecord[]): Promise<LoadedDocuments> {
    const named = new Map(bills.filter(({ document }) => document !== '').map((bill) => [bill.bill_number, bill]))
    if (named.size === 0) return { documentsStored: 0, documentsMissing: 0, changes: [] }
    const here = await findNumbersWithDocument(tx, company, [...named.values()])
    const fresh = [...named.values()].filter(({ bill_number }) => !here.has(bill_number))
    const missing = fresh.filter(({ document }) => this.#problems.get(document) !== '')
    for (const { bill_number, document } of fresh) {
      const received = this.#stored.get(bill_number)
      if (!received) continue
      const { id } = await tx
        .insertInto('utility_bill_document')
        .values({ company_id: company, bill_number, name: document })
        .returning('id')
        .executeTakeFirstOrThrow()
      await attach(tx, received, id)
      this.#attached.add(bill_number)
    }
    for (const { document } of named.values())
      if (!missing.some((bill) => bill.document === document)) this.used.add(document)
    return {
      documentsStored: fresh.length - missing.length,
      documentsMissing: missing.length,
      changes: missing.map((bill) => missingOf(bill, this.#problems.get(bill.document) ?? NOT_ALONG)),
    }
  }

  /** Removes stored files that have no bill, after a transaction has committed or failed. */
  async finish({ failed = false } = {}): Promise<void> {
    const left = [...this.#stored].filter(([number]) => failed || !this.#attached.has(number))
    await removeFiles(
      this.#sender.context,
      left.map(([, received]) => received),
    )
    this.#stored.clear()
    this.#attached.clear()
  }
}

/** Reports every named PDF as missing. Used for imports that cannot include PDFs. */
export async function withoutDocuments(
  tx: Tx,
  company: CompanyId,
  bills: readonly BillRecord[],
): Promise<LoadedDocuments> {
  const named = bills.filter(({ document }) => document !== '')
  if (named.length === 0) return { documentsStored: 0, documentsMissing: 0, changes: [] }
  const here = await findNumbersWithDocument(tx, company, named)
  const missing = named.filter(({ bill_number }) => !here.has(bill_number))
  return {
    documentsStored: 0,
    documentsMissing: missing.length,
    changes: missing.map((bill) => missingOf(bill, NOT_ALONG)),
  }
}

const missingOf = (
  { line, account_number, customer_name, bill_number, document }: BillRecord,
  why: string,
): Change => ({
  line,
  what: 'no_document',
  account: account_number,
  customer: customer_name,
  bill: bill_number,
  cents: null,
  before: null,
  reason: `${document} ${why}`,
})

/** Finds the numbers of bills that already have a PDF. */
async function findNumbersWithDocument(tx: Tx, company: CompanyId, bills: readonly BillRecord[]): Promise<Set<string>> {
  const numbers = bills.map(({ bill_number }) => bill_number)
  const rows = await tx
    .selectFrom('utility_bill_document')
    .select('bill_number')
    .where('company_id', '=', company)
    .where(sql<boolean>`bill_number = ANY(${numbers}::text[])`)
    .execute()
  return new Set(rows.map(({ bill_number }) => bill_number))
}
