import type { NoticeEvent } from '../../shared/notice-events.ts'
import type { Company } from '../hosts.ts'
import type { Attachment } from '../mail.ts'

/** Where a notice comes from: a town, or the platform (`company` null). */
export interface NoticeSender {
  company: Company | null
  /** What mails call it. */
  name: string
  /** An address of its portal. */
  url(path: string): string
}

/** A line that leads somewhere: a button in HTML, in plain text its words and the address. */
export interface Action {
  label: string
  url: string
  /** Before the address, in plain text. */
  says?: string
  /** One of many: a plain link rather than a button. */
  small?: true
}

/** What somebody is told. */
export interface Letter {
  subject: string
  /** Plain text, whose line breaks are kept. */
  paragraphs: readonly (string | Action)[]
  /** The last line; the name and address of the place unless said, and none where it is empty. */
  signature?: string
  attachments?: readonly Attachment[]
}

interface NoticeDeclaration<Facts> {
  /** `case.news`: it is kept with what waits and with what was stopped, so it stays the same for good. */
  event: NoticeEvent | `tests.${string}`
  /** Why somebody gets it, in a sentence that stands below it. */
  why: (at: NoticeSender) => string
  words: (facts: Facts, at: NoticeSender) => Letter
  /** What is texted beside the mail, to residents who agreed to texts, where the town has not turned that kind off. */
  text?: {
    kind: 'payments' | 'conversations'
    /** So that the same, told twice within this time, falls together. */
    waitSeconds?: number
    /** Short, without accents, and never with a secret. Null: nothing is texted of these. */
    words: (facts: Facts) => string | null
  }
}

/** What its receiver must not miss: a receipt, the link that they asked for, a change of their account. */
export interface RequiredNotice<Facts> extends NoticeDeclaration<Facts> {
  required: true
  /**
   * Whoever gets it makes the call that sends it, so that it is in the language of that call. Nobody knows what others read:
   * theirs is in English.
   */
  toCaller?: (facts: Facts) => boolean
}

/** What its receiver may stop. It waits a little as JSON, without secrets, so that what happens at once comes in one mail. */
export interface StoppableNotice<Facts> extends NoticeDeclaration<Facts> {
  required: false
  /** What stops, as in 'Stop … by email': 'news of conversations'. */
  called: string
  waitSeconds: number
  /** The words where several came together, in the order in which they came. */
  together: (all: readonly Facts[], at: NoticeSender) => Letter
}

export type Notice<Facts> = RequiredNotice<Facts> | StoppableNotice<Facts>

const stoppable = new Map<string, StoppableNotice<never>>()

/** Declares what is told of an event, once for each. */
export function defineNotice<Facts>(notice: StoppableNotice<Facts>): StoppableNotice<Facts>
export function defineNotice<Facts>(notice: RequiredNotice<Facts>): RequiredNotice<Facts>
export function defineNotice<Facts>(notice: Notice<Facts>): Notice<Facts> {
  if (!notice.required) stoppable.set(notice.event, notice as StoppableNotice<never>)
  return notice
}

/** What may wait or be stopped, by its event. */
export const stoppableNotice = (event: string): StoppableNotice<unknown> | undefined =>
  stoppable.get(event) as StoppableNotice<unknown> | undefined
