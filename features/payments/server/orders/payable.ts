import { type RawBuilder, sql } from 'kysely'
import type { LineDetail, LineItem } from '../../../../server/db/column-types.ts'
import { notFound } from '../../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import { orderStatus } from '../../rules.ts'

/**
 * Interface for items that people pay for. A feature that charges for items implements it and registers it with
 * `definePayable`. Orders, fees, receipts, reports and checks use only the lines, not the kinds.
 */
export interface Payable<Named = never> {
  /** Name of the kind in the database. */
  readonly kind: string
  /** Name of the kind in reports. */
  readonly label: string
  /** Groups within the kind that may have different fee rules: the name of each `feeGroup`. */
  readonly feeGroups?: Readonly<Record<string, string>>
  /** True if a payer may pay more than the amount due. */
  readonly takesCredit: boolean
  /**
   * SQL for the settled cents of each line, from the feature's own rows, across all companies. The query returns
   * company_id, payable_id, order_id, line_no and cents. `npm run verify` compares the result with the order lines.
   */
  readonly settled: string
  /** Finds the id of the item that the payer identifies. */
  find(tx: Tx, company: CompanyId, named: Named): Promise<number | null>
  /**
   * Lists items that match each word of the search text, for staff, up to a maximum. Without this function, staff can
   * find such items only on the feature's own screens.
   */
  search?(tx: Tx, company: CompanyId, text: string, max: number): Promise<FindablePayable[]>
  /** Finds the item with exactly this reference, as a bank file contains it. */
  byReference?(tx: Tx, company: CompanyId, reference: string): Promise<number | null>
  /** Locks the item (`FOR NO KEY UPDATE`). False if none exists. Lock the order first, then by kind and id. */
  lock(tx: Tx, company: CompanyId, id: number, now: Date): Promise<boolean>
  /** Loads the amount due and the pending payments (`pendingCents`) in one query, from one moment. */
  owed(tx: Tx, company: CompanyId, id: number): Promise<PayableBalance>
  describe(tx: Tx, company: CompanyId, id: number): Promise<Description>
  /** Next step for the payer, shown with the receipt. Null if none is needed. */
  next?(tx: Tx, company: CompanyId, id: number): Promise<Next | null>
  /** Records a payment once for each line and provider object. Must not refuse money that was captured. */
  onSettled(tx: Tx, company: CompanyId, settlement: Settlement): Promise<unknown>
  /** Records a reversal: refund, return or lost dispute. Called once for each line and provider object. */
  onReversed(tx: Tx, company: CompanyId, settlement: Settlement): Promise<unknown>
  /** Set if the kind has recurring charges, which AutoPay can pay. */
  readonly recurs?: Recurring
  /** Lists the screens on which people find items of this kind. Empty if the company has none. */
  paths?(tx: Tx, company: CompanyId, asking: PayableViewer): Promise<PayablePath[]>
  /** Lists a resident's own items that may have an amount due. The cart suggests these items without a search. */
  listOwn?(tx: Tx, company: CompanyId, person: number): Promise<number[]>
}

export interface Next {
  text: string
  /** Label of the button that opens the screen. */
  label: string
  path: string
}

/** Viewer who wants to pay, and the date in the company's time zone. */
export interface PayableViewer {
  isResident: boolean
  today: string
}

/** Screen that finds an item to pay. The parameter `?cart=` of its URL selects the cart for the item. */
export interface PayablePath {
  path: string
  title: string
  /** Note under the title: what to search by, such as the account number, or the price. */
  note: string
}

/** Interface for items with recurring charges. */
export interface Recurring {
  /** Lists the items that a resident has linked and may enroll in AutoPay. */
  listLinked(tx: Tx, company: CompanyId, person: number): Promise<LinkedPayable[]>
  /** True if the resident still has this item linked. */
  isLinked(tx: Tx, company: CompanyId, person: number, id: number): Promise<boolean>
  /** Lists the people who have linked this item. */
  listLinkedPeople(tx: Tx, company: CompanyId, id: number): Promise<number[]>
  /** SQL for the total in cents ever paid outside this portal for item `a.payable_id` of `a.company_id`. */
  readonly paidElsewhere?: string
  /** SQL for the payable amount in cents of item `a.payable_id` of `a.company_id`. Must equal `owed`. */
  readonly payableNow: RawBuilder<number>
  /** Finds the item by the digits of its number, as entered on a phone, and the residents who have linked it. */
  byDigits(
    tx: Tx,
    company: CompanyId,
    digits: string,
  ): Promise<{ id: number; reference: string; people: number[] } | null>
  /** SQL for `bill` and `due_date` of the newest bill of item `a.payable_id` of `a.company_id`. */
  readonly newest: string
}

export interface LinkedPayable {
  id: number
  /** Reference that staff use. */
  reference: string
  /** Title that the item's owner recognizes. */
  title: string
  newest: { bill: string; dueDate: string } | null
}

/** Search result for staff. */
export interface FindablePayable {
  id: number
  reference: string
  name: string
  description: string
}

/** Amounts of an item in integer cents. */
export interface PayableBalance {
  /** Amount due. Negative for a credit. */
  owedCents: number
  pendingCents: number
  /** True if partial payment is not allowed. */
  inFull?: boolean
}

export interface Description {
  /** GL account of the company that the money is credited to. */
  glAccount: string
  /** Group within the kind that may have its own fee rules, such as `taxes` of general payments. */
  feeGroup?: string
  payerName: string
  /** Reference that staff see and search for. */
  reference: string
  /** Title for the payer. The receipt shows it with the details and items below. */
  title: string
  details: LineDetail[]
  items: LineItem[]
  /** Details for anyone who finds the item and may pay it. They contain only enough to identify the item. */
  publicView: {
    title: string
    details: LineDetail[]
    dueDate: string | null
    /** Reason why nothing is due, if nothing was charged yet. Null otherwise. */
    nothingYet: string | null
    /** Reason that the item can no longer be paid, for example because staff voided it. */
    closed?: string | null
    /** Time until which the item is held for the payer. */
    heldUntil?: Date | null
  }
}

/** Change of the settled amount of an order line, with the provider object that caused it. */
export interface Settlement {
  payableId: number
  orderId: number
  lineNo: number
  /** Amount of the change. Always positive. */
  amountCents: number
  source: string
  sourceRef: string
  at: Date
}

/** Returns the SQL for the total of an item's pending payments, for use in the query of `owed`. */
export const pendingPayments = (
  company: CompanyId | RawBuilder<number>,
  kind: string,
  id: number | RawBuilder<number>,
): RawBuilder<number> => sql<number>`
  (SELECT coalesce(sum(l.amount_cents), 0)::bigint FROM payment_order_line l
   JOIN payment_order o ON o.company_id = l.company_id AND o.id = l.order_id
   WHERE l.company_id = ${company} AND l.kind = ${kind} AND l.payable_id = ${id} AND o.status = ${sql.lit(orderStatus.pending)})`

/** Returns an SQL condition: true if a payment of an item is pending. */
export const hasPendingPayment = (
  company: RawBuilder<unknown>,
  kind: string,
  id: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`EXISTS (
  SELECT FROM payment_order_line l JOIN payment_order o ON o.company_id = l.company_id AND o.id = l.order_id
  WHERE l.company_id = ${company} AND l.kind = ${kind} AND l.payable_id = ${id} AND o.status = ${sql.lit(orderStatus.pending)})`

/**
 * Creates the settlement store of a kind. `table` has one row for each settlement. `idColumn` is the column with the
 * item's id.
 */
export const settlementsIn = (table: string, idColumn: string) => ({
  /** SQL for the `settled` property of the kind's `Payable`. */
  sums: `SELECT company_id, ${idColumn} AS payable_id, order_id, line_no,
    sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END) AS cents FROM ${table} GROUP BY 1, 2, 3, 4`,
  /** Inserts a settlement. @returns the change of the paid amount in cents, negative for a reversal */
  async keep(tx: Tx, company: CompanyId, kind: 'credit' | 'reversal', settlement: Settlement): Promise<number> {
    const { payableId, orderId, lineNo, source, sourceRef, amountCents, at } = settlement
    await sql`
      INSERT INTO ${sql.table(table)} (company_id, ${sql.ref(idColumn)}, kind, order_id, line_no, source, source_ref, amount_cents, at)
      VALUES (${company}, ${payableId}, ${kind}, ${orderId}, ${lineNo}, ${source}, ${sourceRef}, ${amountCents}, ${at})`.execute(
      tx,
    )
    return kind === 'credit' ? amountCents : -amountCents
  },
})

const kinds = new Map<string, Payable>()

/** Registers a kind of payable item. Returns a function that unregisters it. */
export function definePayable(payable: Payable): () => void {
  kinds.set(payable.kind, payable)
  return () => void kinds.delete(payable.kind)
}

/** @throws 404 if no feature defines the kind, because kinds come from requests */
export function payableOf(kind: string): Payable {
  const registered = kinds.get(kind)
  if (!registered) throw notFound()
  return registered
}

export const allPayables = (): Payable[] => [...kinds.values()]

/** Sorts items by kind and id. Every caller locks and changes items in this order, which prevents deadlocks. */
export const inLockOrder = <T extends { kind: string; id: number }>(refs: readonly T[]): T[] =>
  refs.toSorted((a, b) => (a.kind === b.kind ? a.id - b.id : a.kind < b.kind ? -1 : 1))
