import type { NoticeEvent } from '../../shared/notice-events.ts'
import type { Company } from '../hosts.ts'
import type { Attachment } from '../email-outbox.ts'

/** Sender of a notice: a company, or the platform (`company` null). */
export interface NoticeSender {
  company: Company | null
  /** Name of the sender in emails. */
  name: string
  /** Builds a URL of the sender's portal. */
  url(path: string): string
}

/** Link in an email: a button in HTML, or a label and URL in plain text. */
export interface Action {
  label: string
  url: string
  /** Text before the URL, in the plain text version. */
  text?: string
  /** True for a plain link instead of a button. */
  small?: true
}

/** Content of an email. */
export interface EmailTemplate {
  subject: string
  /** Paragraphs: links, or plain text that keeps its line breaks. */
  paragraphs: readonly (string | Action)[]
  /** Last line. Default: name and URL of the sender. Empty for no last line. */
  signature?: string
  attachments?: readonly Attachment[]
}

interface NoticeDeclaration<Data> {
  /** Event such as `case.update`. Pending notices and opt-outs store the event, so it must never change. */
  event: NoticeEvent | `tests.${string}`
  /** Sentence in the footer that explains why the recipient gets the email. */
  why: (at: NoticeSender) => string
  content: (data: Data, at: NoticeSender) => EmailTemplate
  /**
   * Text message sent in addition to the email. Only for residents who agreed to text messages, unless the company
   * disabled this kind.
   */
  text?: {
    kind: 'payments' | 'conversations'
    /** Identical messages within this time are sent once. */
    waitSeconds?: number
    /** Returns a short message without accents or secrets. Null if the portal sends no text message. */
    content: (data: Data) => string | null
  }
}

/**
 * Notice without an opt-out, because recipients must not miss it: a receipt, a requested link, or an account change.
 */
export interface RequiredNotice<Data> extends NoticeDeclaration<Data> {
  required: true
  /**
   * Returns true if the caller is the recipient. The notice then uses the language of the call. Other recipients get
   * English, because their language is unknown.
   */
  toCaller?: (data: Data) => boolean
}

/**
 * Notice that recipients can unsubscribe from. The notice is stored as JSON and sent after a delay, so that several
 * events share one email. It must contain no secrets.
 */
export interface StoppableNotice<Data> extends NoticeDeclaration<Data> {
  required: false
  /** Name of these emails in the link 'Stop … by email', for example 'news of conversations'. */
  called: string
  waitSeconds: number
  /** Builds one email for several events, in the order of the events. */
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

/** Finds the notice of an event, if recipients can unsubscribe from it. */
export const stoppableNotice = (event: string): StoppableNotice<unknown> | undefined =>
  stoppable.get(event) as StoppableNotice<unknown> | undefined
