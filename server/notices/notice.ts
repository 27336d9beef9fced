import type { NoticeEvent } from '../../shared/notice-events.ts'
import type { Company } from '../hosts.ts'
import type { Attachment } from '../email-outbox.ts'

/** Sender of a notice: a company, or the platform (`company` null). */
export interface NoticeSender {
  company: Company | null
  /** Name in emails. */
  name: string
  /** Builds an address of its portal. */
  url(path: string): string
}

/** Link line: a button in HTML, its label and address in plain text. */
export interface Action {
  label: string
  url: string
  /** Text before the address, in plain text. */
  says?: string
  /** True for a plain link instead of a button. */
  small?: true
}

/** Content of an email. */
export interface EmailTemplate {
  subject: string
  /** Plain text with its line breaks. */
  paragraphs: readonly (string | Action)[]
  /** Last line. Default: name and address of the sender. Omitted if empty. */
  signature?: string
  attachments?: readonly Attachment[]
}

interface NoticeDeclaration<Data> {
  /** Event such as `case.news`. It is stored with pending notices and opt-outs, so it must never change. */
  event: NoticeEvent | `tests.${string}`
  /** Sentence in the footer that explains why the recipient gets the email. */
  why: (at: NoticeSender) => string
  content: (data: Data, at: NoticeSender) => EmailTemplate
  /** Text message with the email, for residents who agreed to texts, unless the company disabled that kind. */
  text?: {
    kind: 'payments' | 'conversations'
    /** Identical messages within this time are sent once. */
    waitSeconds?: number
    /** Short text without accents or secrets. Null if no text message is sent. */
    content: (data: Data) => string | null
  }
}

/** Notice that its recipient must not miss: a receipt, a requested link, a change of their account. */
export interface RequiredNotice<Data> extends NoticeDeclaration<Data> {
  required: true
  /**
   * True if the caller is the recipient, so that the notice uses the call's language. Others get English, because their
   * language is unknown.
   */
  toCaller?: (data: Data) => boolean
}

/**
 * Notice that its recipient can unsubscribe from. It waits a little as JSON, without secrets, so that several events
 * share one email.
 */
export interface StoppableNotice<Data> extends NoticeDeclaration<Data> {
  required: false
  /** Name of the emails in 'Stop … by email': 'news of conversations'. */
  called: string
  waitSeconds: number
  /** Text for several events, in their order. */
  together: (all: readonly Data[], at: NoticeSender) => EmailTemplate
}

export type Notice<Data> = RequiredNotice<Data> | StoppableNotice<Data>

const stoppable = new Map<string, StoppableNotice<never>>()

/** Declares the notice of an event. Call it once for each event. */
export function defineNotice<Data>(notice: StoppableNotice<Data>): StoppableNotice<Data>
export function defineNotice<Data>(notice: RequiredNotice<Data>): RequiredNotice<Data>
export function defineNotice<Data>(notice: Notice<Data>): Notice<Data> {
  if (!notice.required) stoppable.set(notice.event, notice as StoppableNotice<never>)
  return notice
}

/** Finds an optional notice by its event. */
export const stoppableNotice = (event: string): StoppableNotice<unknown> | undefined =>
  stoppable.get(event) as StoppableNotice<unknown> | undefined
