import { defineNotice, type EmailTemplate, type NoticeSender } from '../notices/notice.ts'
import { plural, say } from '../../shared/messages.ts'

/** Email data about a new case entry, for the staff who work on or watch the case. */
interface CaseUpdate {
  number: string
  company: string
  kind: 'message' | 'reply' | 'note' | 'assignment'
  by: string
  toDepartment: boolean
  path: string
}

/** Maximum number of entries in one email. */
const LISTED = 50

/**
 * Email to staff about new case entries. The email never contains message text or the requester's name. Staff read both
 * in the portal, which checks their privileges.
 */
export const caseUpdateNotice = defineNotice<CaseUpdate>({
  event: 'case.update',
  required: false,
  called: 'updates on requests and submissions that you work on or watch',
  waitSeconds: 120,
  why: ({ name }) => say`You are receiving this email because you work on or watch requests or submissions to ${name}.`,
  content: (one, at) => ({
    subject: subjectOf(one),
    paragraphs: [messageOf(one), { label: say`Open ${one.number}`, url: at.url(one.path) }],
    signature: '',
  }),
  together,
})

function together(all: readonly CaseUpdate[], at: NoticeSender): EmailTemplate {
  const more = all.length - LISTED
  return {
    subject: subjectOfAll(all),
    paragraphs: [
      ...all.slice(0, LISTED).map((one) => ({
        label: say`Open ${one.number}`,
        text: `${messageOf(one)}\n`,
        url: at.url(one.path),
        small: true as const,
      })),
      ...(more > 0
        ? [
            say`${plural(more, 'Sign in to the portal to see # more update.', 'Sign in to the portal to see # more updates.')}`,
          ]
        : []),
    ],
    signature: '',
  }
}

function subjectOfAll(all: readonly CaseUpdate[]): string {
  if (all.every(({ kind }) => kind === 'assignment')) return say`${all.length} new assignments`
  const numbers = new Set(all.map(({ number }) => number))
  return numbers.size === 1
    ? say`${all.length} updates on ${[...numbers].join()}`
    : say`${all.length} updates on ${numbers.size} requests or submissions`
}

const subjectOf = ({ number, kind, toDepartment }: CaseUpdate): string =>
  ({
    assignment: toDepartment ? say`${number} was assigned to your department` : say`${number} was assigned to you`,
    message: say`New message in ${number}`,
    reply: say`Reply sent in ${number}`,
    note: say`New note in ${number}`,
  })[kind]

const messageOf = ({ number, company, kind, by, toDepartment }: CaseUpdate): string =>
  ({
    assignment: toDepartment
      ? say`${by} assigned ${number} (${company}) to your department.`
      : say`${by} assigned ${number} (${company}) to you.`,
    message: say`The requester sent a new message in ${number} (${company}).`,
    reply: say`${by} replied to ${number} (${company}).`,
    note: say`${by} added a note to ${number} (${company}).`,
  })[kind]
