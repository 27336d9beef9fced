import { type RawBuilder, sql } from 'kysely'
import type { LineDetail, LineItem } from '../../../server/db/column-types.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/**
 * The port to whatever can be paid. A feature that charges for something implements it and defines it
 * (`definePayable`); orders, fees, receipts, reports and checks know their lines, and none of them what a kind is.
 */
export interface Payable<Named = never> {
  /** As it stands in the database. */
  readonly kind: string
  /** As reports call it. */
  readonly label: string
  /** The parts of it that fee rules may tell apart, by `feeGroup`, with their names. */
  readonly feeGroups?: Readonly<Record<string, string>>
  /** Whether more than what is owed may be paid. */
  readonly takesCredit: boolean
  /**
   * What the thing's own rows say that was settled of each line, for `npm run verify`, which holds it against the lines:
   * SQL that answers company_id, payable_id, order_id, line_no and cents, over all towns.
   */
  readonly settled: string
  /** The id of the thing that somebody names who wants to pay it. */
  find(tx: Tx, company: CompanyId, named: Named): Promise<number | null>
  /** For a clerk: what matches each word of a text, at most so many. A kind that has none is found in its own screens alone. */
  search?(tx: Tx, company: CompanyId, text: string, most: number): Promise<FindablePayable[]>
  /** Which one has exactly this reference, as a bank's file names it. */
  byReference?(tx: Tx, company: CompanyId, reference: string): Promise<number | null>
  /**
   * Locks the thing until the transaction ends, so that what is owed cannot be paid twice from two tabs. False where there
   * is no such thing. Things are locked in the order of kind and id, after the order that pays them; `FOR NO KEY UPDATE` is
   * enough, and lets foreign keys pass. `now` is the portal's clock, by which whatever is held for the payer is given back.
   */
  lock(tx: Tx, company: CompanyId, id: number, now: Date): Promise<boolean>
  /** What is owed, and what payments under way will take off (`underWay`): in one query, so that it is one moment's truth. */
  owed(tx: Tx, company: CompanyId, id: number): Promise<PayableBalance>
  describe(tx: Tx, company: CompanyId, id: number): Promise<Description>
  /** What whoever paid it has by that now, and where they see it; shown with the receipt. Null where nothing is to be said. */
  next?(tx: Tx, company: CompanyId, id: number): Promise<Next | null>
  /**
   * So much more of it is paid, in the transaction that captures the money. Called once for a line and an object of the
   * provider. It may not refuse: the money is here, even where more came than was owed, since a charge that was given up
   * turned out to be paid.
   */
  onSettled(tx: Tx, company: CompanyId, settlement: Settlement): Promise<unknown>
  /** So much of it went back: refunded, returned, or lost to a dispute. Called once, likewise. */
  onReversed(tx: Tx, company: CompanyId, settlement: Settlement): Promise<unknown>
  /** Of a kind of which something comes due again and again, so that it can be paid by itself (AutoPay). */
  readonly recurs?: Recurring
  /** The screens on which people find what they want to pay of it; none where the town has nothing of it. */
  ways?(tx: Tx, company: CompanyId, asking: PayableViewer): Promise<PayablePath[]>
  /** What of it is known to be a resident's own, and may be owed: it is put into their cart without being found. */
  theirs?(tx: Tx, company: CompanyId, person: number): Promise<number[]>
}

export interface Next {
  says: string
  /** Of the button that leads to it. */
  label: string
  path: string
}

/** Who wants to pay, and on which day of the town. */
export interface PayableViewer {
  isResident: boolean
  today: string
}

/** A screen that finds something to pay. It takes the cart that the thing is added to as `?cart=`. */
export interface PayablePath {
  path: string
  title: string
  /** By what it is found, or what it costs. */
  note: string
}

/** What is due again and again. */
export interface Recurring {
  /** Those that a resident has linked: the ones that they may have paid by themselves. */
  mine(tx: Tx, company: CompanyId, person: number): Promise<OwnThing[]>
  /** Whether this one is still theirs. */
  isMine(tx: Tx, company: CompanyId, person: number, id: number): Promise<boolean>
  /** Those who have linked this one. */
  whose(tx: Tx, company: CompanyId, id: number): Promise<number[]>
  /** SQL that answers in cents what was ever paid of the thing `a.payable_id` of `a.company_id` past this portal. */
  readonly paidElsewhere?: string
  /** SQL that answers in cents what can be paid now of the thing `a.payable_id` of `a.company_id`: as `owed` says it of one. */
  readonly payableNow: RawBuilder<number>
  /** The one whose number has these digits, as a telephone's keys give it, with the residents who have linked it. */
  byDigits(
    tx: Tx,
    company: CompanyId,
    digits: string,
  ): Promise<{ id: number; reference: string; people: number[] } | null>
  /** SQL that answers `bill` and `due_date` of what came due last of the thing `a.payable_id` of `a.company_id`. */
  readonly newest: string
}

export interface OwnThing {
  id: number
  /** What staff know it by. */
  reference: string
  /** What its owner knows it by. */
  title: string
  newest: { bill: string; dueDate: string } | null
}

/** What a clerk tells one thing from another by. */
export interface FindablePayable {
  id: number
  reference: string
  name: string
  place: string
}

/** In integer cents. */
export interface PayableBalance {
  /** Negative is a credit. */
  owedCents: number
  pendingCents: number
  /** It is paid whole or not at all. */
  inFull?: boolean
}

export interface Description {
  /** The code of the town's general ledger that its money goes to. */
  glAccount: string
  /** The part of its kind that fee rules may tell from the rest: `taxes` of general payments. */
  feeGroup?: string
  payerName: string
  /** What clerks know it by, and search for. */
  reference: string
  /** For whoever paid it: on the receipt. */
  title: string
  facts: LineDetail[]
  items: LineItem[]
  /** For a stranger who found it and may want to pay it: no more than it can be known by. */
  shown: {
    title: string
    facts: LineDetail[]
    dueDate: string | null
    /** Why there is nothing to pay, where nothing was charged yet. */
    nothingYet: string | null
    /** Why it may not be paid any more, though it was found: it was voided, say. */
    closed?: string | null
    /** Until when nobody else can take it, for what is held for whoever pays. */
    heldUntil?: Date | null
  }
}

/** By how much a line of an order is settled more, or less, and by which object of the provider. */
export interface Settlement {
  payableId: number
  orderId: number
  lineNo: number
  /** Always positive. */
  amountCents: number
  source: string
  sourceRef: string
  at: Date
}

/** What payments that are under way will take off, for the query of a kind's `owed`. */
export const underWay = (
  company: CompanyId | RawBuilder<number>,
  kind: string,
  id: number | RawBuilder<number>,
): RawBuilder<number> => sql<number>`
  (SELECT coalesce(sum(l.amount_cents), 0)::bigint FROM payment_order_line l
   JOIN payment_order o ON o.company_id = l.company_id AND o.id = l.order_id
   WHERE l.company_id = ${company} AND l.kind = ${kind} AND l.payable_id = ${id} AND o.status = 0)`

/** Where a kind keeps what was settled of its things: a row for each in `table`, whose column `thing` says of which. */
export const settlementsIn = (table: string, thing: string) => ({
  /** For `settled`. */
  sums: `SELECT company_id, ${thing} AS payable_id, order_id, line_no,
    sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END) AS cents FROM ${table} GROUP BY 1, 2, 3, 4`,
  /** Writes one down. @returns by how many cents more of the thing is paid: fewer than none where they went back */
  async keep(tx: Tx, company: CompanyId, kind: 'credit' | 'reversal', settlement: Settlement): Promise<number> {
    const { payableId, orderId, lineNo, source, sourceRef, amountCents, at } = settlement
    await sql`
      INSERT INTO ${sql.table(table)} (company_id, ${sql.ref(thing)}, kind, order_id, line_no, source, source_ref, amount_cents, at)
      VALUES (${company}, ${payableId}, ${kind}, ${orderId}, ${lineNo}, ${source}, ${sourceRef}, ${amountCents}, ${at})`.execute(
      tx,
    )
    return kind === 'credit' ? amountCents : -amountCents
  },
})
