import type { RawBuilder } from 'kysely'
import type { AuditAction, SubjectKind } from '../../shared/audit-actions.ts'
import type { CaseCalls, CasePayment, stateKinds } from '../../shared/cases.ts'
import type { Call } from '../call.ts'
import type { Company } from '../hosts.ts'
import type { Letter } from '../notices/notice.ts'
import type { Tx } from '../tenancy.ts'

/** The columns that the row of a thing has for its case. What else is in the row is the feature's own business. */
export interface CaseRow {
  company_id: number
  id: number
  /** Somebody of the desk's people, or */
  assigned_to: number | null
  /** a department of theirs, or neither. */
  department_id: number | null
  last_message_id: number
  last_from: 'person' | 'staff'
  first_answered_at: Date | null
  updated_at: Date
}

/** Who says or does something: the person who asked, or somebody of the desk. */
export interface Author {
  kind: 'person' | 'municipality' | 'platform'
  id: number | null
  name: string
}

/** A change of state, as the feature keeps it in its own history. */
export interface CaseStep {
  id: number
  at: Date
  by: string
  label: string
  reason: string
  visibility: 'everyone' | 'staff'
}

/** What somebody paid for the thing, as its order says it by now. Nothing of it is kept beside the order. */
export interface PaidFor extends CasePayment {
  at: Date
  by: string
}

/** What a feature says once of its kind of case. Sentences are shown or mailed as they are. */
export interface CaseKind<Row extends CaseRow = CaseRow> {
  calls: CaseCalls
  /** The things themselves: a table with the columns of `CaseRow`. */
  table: string
  /** Of the table as `r`: somebody still has to do something about them. */
  open: RawBuilder<unknown>
  subject: SubjectKind
  audit: Record<'answered' | 'noted' | 'assigned' | 'followedUp' | 'answersChanged', AuditAction>
  words: {
    /** 'This support request was not found.' */
    notFound: string
    /** 'may not read support requests': of somebody who can't be given one. */
    mayNotRead: string
    /** After a link that is over. */
    linkOver: string
    /** Where no more messages are taken. */
    full: string
  }
  numberOf(id: number): string
  title(row: Row): string
  state(row: Row): { label: string; kind: (typeof stateKinds)[number] }
  /** Who asked; `id` where they did so signed in. Whoever left no email is called. */
  person(row: Row): { name: string; email: string; phone: string; id?: number | null }
  /** What it began with, where that is said in the thing itself. */
  opening(row: Row): { at: Date; text: string } | null
  steps(tx: Tx, row: Row): Promise<CaseStep[]>
  /** The orders that pay for it, of a kind that costs something. Whoever asked sees them as well, without who paid. */
  payments?(tx: Tx, row: Row): Promise<PaidFor[]>
  /** Why staff may not answer, or the person not write, in a sentence; null where they may. */
  noReply(row: Row): string | null
  noMessage(row: Row): string | null
  /** How whoever answers is called towards the person. */
  publicName(name: string): string
  /** What an answer does to the state. @returns facts for the audit log */
  onReply(tx: Tx, call: Call, row: Row, complete: boolean): Promise<Record<string, unknown>>
  /** What a message of the person does to the state. */
  onMessage(tx: Tx, call: Call, row: Row): Promise<void>
  /** A message of the person would open it again. */
  reopens(row: Row): boolean
  /** The kit adds the link to the conversation and the signature. */
  replyLetter(row: Row, text: string, complete: boolean): Letter
  /** The last line of letters to the person. */
  signature(company: Company): string
  /** Before the link in a letter. */
  linkWords: () => string
  /** Where the conversation stands on the town's host, and where the staff work on it, on theirs. */
  conversationPath(secret: string): string
  staffPath(company: number, id: number): string
}

const kinds = new Map<string, CaseKind>()

/** Of a kind that says nothing else: everybody may write at any time, and what is said changes no state. */
const usual = {
  noReply: () => null,
  noMessage: () => null,
  publicName: (name: string) => name,
  onReply: async () => ({}),
  onMessage: async () => {},
  reopens: () => false,
}
type Usual = keyof typeof usual

/** Declares what the kit needs to know of a kind. Once, where the feature's server part is loaded. */
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
