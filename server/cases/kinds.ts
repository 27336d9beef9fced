import type { RawBuilder } from 'kysely'
import type { AuditAction, SubjectKind } from '../../shared/audit-actions.ts'
import type { CaseCalls, CasePayment, stateKinds } from '../../shared/cases.ts'
import type { Call } from '../call.ts'
import type { Company } from '../hosts.ts'
import type { EmailTemplate } from '../notices/notice.ts'
import type { Tx } from '../tenancy.ts'

/** Columns that every case row has. Features add their own columns. */
export interface CaseRow {
  company_id: number
  id: number
  /** Assigned staff member. Null if none. */
  assigned_to: number | null
  /** Assigned department. Null if a person is assigned, or if the case is unassigned. */
  department_id: number | null
  last_message_id: number
  last_from: 'person' | 'staff'
  first_reply_at: Date | null
  updated_at: Date
}

/** Author of an entry: the requester or a staff member. */
export interface Author {
  kind: 'person' | 'municipality' | 'platform'
  id: number | null
  name: string
}

/** State change, as the feature stores it in its history. */
export interface CaseStep {
  id: number
  at: Date
  by: string
  label: string
  reason: string
  visibility: 'everyone' | 'staff'
}

/** Payment for the subject, with the current state of its order. All of this data comes from the order. */
export interface PaidFor extends CasePayment {
  at: Date
  by: string
}

/** Declaration of a case kind by its feature. Screens and emails show the declared texts unchanged. */
export interface CaseKind<Row extends CaseRow = CaseRow> {
  calls: CaseCalls
  /** Table of the subjects, with the columns of `CaseRow`. */
  table: string
  /** SQL condition on table `r`: true if staff still have work to do. */
  open: RawBuilder<unknown>
  subject: SubjectKind
  audit: Record<'replied' | 'noted' | 'assigned' | 'followedUp' | 'savedRepliesChanged', AuditAction>
  texts: {
    /** Error message for an unknown case: 'This support request was not found.' */
    notFound: string
    /** Part of an error message: 'may not read support requests'. Shown for an assignee who lacks permission. */
    mayNotRead: string
    /** Message for an expired link. */
    linkExpired: string
    /** Message if the case accepts no more messages. */
    full: string
  }
  numberOf(id: number): string
  title(row: Row): string
  state(row: Row): { label: string; kind: (typeof stateKinds)[number] }
  /** Returns the requester. `id` is set if they were signed in. Requesters without email get phone calls. */
  person(row: Row): { name: string; email: string; phone: string; id?: number | null }
  /** Opening message, if the subject itself stores it. */
  opening(row: Row): { at: Date; text: string } | null
  steps(tx: Tx, row: Row): Promise<CaseStep[]>
  /**
   * Lists the orders that pay for the subject, for a case kind with a price. The requester sees the orders without the
   * payer.
   */
  payments?(tx: Tx, row: Row): Promise<PaidFor[]>
  /**
   * `noReply` explains why staff may not reply, and `noMessage` explains why the requester may not write. Null if they
   * may.
   */
  noReply(row: Row): string | null
  noMessage(row: Row, now: Date): string | null
  /** Returns the public name of the author of a reply. */
  publicName(name: string): string
  /**
   * Updates the state after a staff reply.
   * @returns details for the audit log
   */
  onReply(tx: Tx, call: Call, row: Row, complete: boolean): Promise<Record<string, unknown>>
  /** Updates the state after a message from the requester. */
  onMessage(tx: Tx, call: Call, row: Row): Promise<void>
  /** True if a message from the requester would reopen the case. */
  reopens(row: Row, now: Date): boolean
  /** Builds the email with a reply. The server adds the signature and the link to the case. */
  replyEmail(row: Row, text: string, complete: boolean): EmailTemplate
  /** Returns the group of similar cases, such as a category. Saved replies that staff use for the group come first. */
  replyGroup?(row: Row): string
  /** Returns the last line of emails to the requester. */
  signature(company: Company): string
  /** Returns the text before the link in an email to the requester. */
  linkText: () => string
  /**
   * Paths of the case's pages. `messagesPath` is on the company's host, and `staffPath` is on the host that staff
   * use.
   */
  messagesPath(secret: string): string
  staffPath(company: number, id: number): string
}

const kinds = new Map<string, CaseKind>()

/** Defaults of a kind: everyone may write at any time, and messages change no state. */
const usual = {
  noReply: () => null,
  noMessage: () => null,
  publicName: (name: string) => name,
  onReply: async () => ({}),
  onMessage: async () => {},
  reopens: () => false,
}
type Usual = keyof typeof usual

/** Declares a case kind. Call it once, when the feature's server part loads. */
export function defineCase<Row extends CaseRow>(
  declared: Omit<CaseKind<Row>, Usual> & Partial<Pick<CaseKind<Row>, Usual>>,
): CaseKind<Row> {
  const kind = { ...usual, ...declared }
  kinds.set(kind.calls.kind, kind)
  return kind
}

export function caseKind(name: string): CaseKind {
  const kind = kinds.get(name)
  if (!kind) throw new Error(`there is no kind of case ${name}`)
  return kind
}
