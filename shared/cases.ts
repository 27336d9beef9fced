import * as z from 'zod/mini'
import { mobileField, nameField } from './accounts.ts'
import { done } from './answers.ts'
import { type Attachments, defineAttachments, keepPosition, fileTaken } from './attachments.ts'
import { CARD_NUMBER, holdsCardNumber } from './card-number.ts'
import { emailOrNone } from './email.ts'
import { type Access, downloadCall, endpoint } from './endpoint.ts'
import { JPEG, PDF, PNG } from './file-types.ts'
import type { PolicyName, Right } from './privileges.ts'
import { say } from './words.ts'
import { basis, companyId, rowId } from './body-parts.ts'

/**
 * A case is the conversation around a thing (a support request, a work order …): messages, answers, internal notes, steps,
 * assignments, files and payments, in one timeline. Each kind is declared once by `caseCalls`; `server/cases/` answers the calls and
 * `web/cases/` shows them.
 */

/** Whose staff work on it. */
export type CaseAudience = 'platform' | 'municipality'

/** A mailed link opens its conversation for so long. */
export const LINK_DAYS = 90

/** The number of an entry that somebody has seen; 0 for none. */
const entryId = z.int().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER))

/** Where a request stands that somebody works on (specification 4.4); support's and the municipality's begin with these. */
export const caseStates = {
  0: { label: 'New', kind: 'attention', open: true },
  1: { label: 'In Progress', kind: 'waiting', open: true },
  2: { label: 'Completed', kind: 'good' },
  3: { label: 'Reopen', kind: 'undone', open: true },
  4: { label: 'Invalid', kind: 'neutral' },
} as const

/** Which thing is meant. On a municipality's own host `companyId` need not be told. */
export const ofCase = z.object({
  companyId: z.optional(z.int().check(z.minimum(1), z.maximum(2_147_483_647))),
  subjectId: rowId,
})

export type CaseSubject = z.output<typeof ofCase>

/** Kept texts must not hold what the rules of the card networks forbid to keep. */
export const noCardNumber = z.refine<string>((text) => !holdsCardNumber(text), { error: CARD_NUMBER })

/** So many files go with one message. */
const MAX_FILES = 5
const TOO_MANY_FILES = {
  error: () => say`Attach at most ${MAX_FILES} files to one message. Send the others with another one.`,
}

/** Files that were sent before the message that they go with, each by the id that its call answered. */
export const fileIds = z._default(
  z
    .array(
      z.string().check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'A file has an id that was answered.')),
    )
    .check(z.maxLength(MAX_FILES, TOO_MANY_FILES)),
  [],
)
/** The same in a form, which shows them. */
export const filesField = z._default(
  z
    .array(z.object({ file_id: z.string(), path: z.string(), name: z.string() }))
    .check(z.maxLength(MAX_FILES, TOO_MANY_FILES)),
  [],
)

export const MESSAGE_LONG = 'Please use at most 4,000 characters.'
export const REACH_REQUIRED = 'Enter an email address or a phone number, so that we can answer you.'

/** What is asked of whoever writes from a page that guests see. */
export const contactFields = {
  name: nameField('Enter your name.'),
  email: emailOrNone,
  phone: mobileField,
  /** People leave it empty: it is hidden, and says so to those who hear the page. */
  leaveEmpty: z._default(
    z.string().check(z.maxLength(0, 'Leave the last field empty: it is a trap for machines.')),
    '',
  ),
}
export const reachable = z.refine<{ email: string; phone: string }>(
  ({ email, phone }) => email !== '' || phone !== '',
  {
    error: REACH_REQUIRED,
    path: ['email'],
    // Told together with what else is wrong, not after it.
    when: ({ value }) => typeof value === 'object' && value !== null,
  },
)
const message = z
  .string()
  .check(z.trim(), z.minLength(1, 'Write your message first.'), z.maxLength(4000, MESSAGE_LONG), noCardNumber)
const messageBody = { message, files: fileIds }
export const messageForm = z.object({ message, files: filesField })
/** What stands in the field under a conversation: an answer to the person, or a note for colleagues. */
export const answerForm = z.extend(messageForm, { kind: z.enum(['reply', 'note']), complete: z.boolean() })

export const ANSWER_TITLE = 'Name the answer in at most 80 characters.'
export const cannedForm = z.object({
  title: z.string().check(z.trim(), z.minLength(1, ANSWER_TITLE), z.maxLength(80, ANSWER_TITLE), noCardNumber),
  text: z.string().check(z.trim(), z.minLength(1, 'Write the answer.'), z.maxLength(4000, MESSAGE_LONG), noCardNumber),
})
/** So many are kept for one kind of case. */
export const MAX_ANSWERS = 200

export const mailedToken = z
  .string()
  .check(z.regex(/^[\w-]{43}$/, 'This link is not whole. Open it again from the mail.'))

/** A file of a message. It can be opened once the virus scanner has nothing against it. */
export const caseFile = z.object({
  id: z.string(),
  name: z.string(),
  contentType: z.string(),
  bytes: z.number(),
  state: z.enum(['waiting', 'clean', 'refused']),
  /** Where the photo was taken, where the person agreed that it is kept. */
  position: z.nullable(z.object({ lat: z.number(), lon: z.number() })),
})
export type CaseFile = z.output<typeof caseFile>

/** What was paid for the thing, as it stands by now. */
export const casePayment = z.object({
  state: z.enum(['pending', 'paid', 'given_back']),
  cents: z.int(),
  /** As much of it went back. */
  backCents: z.int(),
  /** How the payment is called: `P1234`. */
  number: z.string(),
})
export type CasePayment = z.output<typeof casePayment>

/** One thing that was said or done. */
export const caseEntry = z.object({
  key: z.string(),
  /** Grows with each message, answer, note and assignment; 0 for steps, payments, and for what the thing itself began with. */
  id: z.int(),
  at: z.string(),
  kind: z.enum(['message', 'reply', 'note', 'step', 'assignment', 'payment']),
  visibility: z.enum(['everyone', 'staff']),
  by: z.string(),
  /** Whoever looks wrote it. */
  mine: z.boolean(),
  text: z.string(),
  /** The state that a step led to, or whom an assignment gave it to ('' for nobody). */
  label: z.string(),
  files: z.array(caseFile),
  /** Of a payment alone. */
  payment: z.nullable(casePayment),
})
export type CaseEntry = z.output<typeof caseEntry>

/** Who has a case: somebody, a department, or (both null) nobody, whose name is empty. */
export const caseHolder = z.object({
  personId: z.nullable(z.number()),
  departmentId: z.nullable(z.number()),
  name: z.string(),
  /** False of somebody who left: what they had stays theirs until it is taken over. */
  active: z.boolean(),
})
export type CaseHolder = z.output<typeof caseHolder>

/** What staff see of a case, beside what the feature shows of the thing itself. */
export const caseView = z.object({
  /** The oldest first. */
  entries: z.array(caseEntry),
  /** Whoever answers names it: somebody else may have written since. */
  lastMessageId: z.int(),
  /** Up to where whoever looks had read before; null where they never looked. */
  seenId: z.nullable(z.int()),
  watching: z.boolean(),
  /** Everybody who watches, by name. */
  watchers: z.array(z.string()),
  holder: caseHolder,
  /** Whoever asked left an email, so answers go out by mail. */
  hasEmail: z.boolean(),
  can: z.object({ reply: z.boolean(), note: z.boolean(), assign: z.boolean() }),
})
export type CaseView = z.output<typeof caseView>

export const stateKinds = ['good', 'waiting', 'attention', 'bad', 'undone', 'neutral'] as const

interface DeclaredCase {
  /** As the tables and the audit log name it: `support_request`. */
  kind: string
  desk: CaseAudience
  /** How the staff's calls end: `support/request` makes `admin/reply/support/request`. */
  path: string
  /** How the calls about all of them begin: `support` makes `return/support/conversation`. */
  about: string
  /** How the documents of the calls speak of it: `support request`. */
  noun: string
  /** Files of this kind are photos of places: whoever sends one is asked whether its position may be kept. */
  asksPosition?: boolean
  /** The path of the call that takes its files, where the specification names another one than `attach/…/file`. */
  attachPath?: string
  rights: {
    read: readonly [PolicyName, Right]
    write: readonly [PolicyName, Right]
    assign: readonly [PolicyName, Right]
  }
}

export type CaseCalls = ReturnType<typeof caseCalls>

/** The files of a kind of case: whoever may write may send one, guests by their mailed link too. */
const filesOf = ({ kind, asksPosition = false }: DeclaredCase): Attachments =>
  defineAttachments({
    kind: `${kind}_file`,
    subject: 'case_entry',
    accepts: [JPEG, PNG, PDF],
    mostBytes: 10 * 1024 * 1024,
    mostFiles: MAX_FILES,
    wrongType: 'Send a PNG or JPG picture, or a PDF.',
    unnamed: 'file',
    asksPosition,
    access: { audience: 'public' },
    whileOffline: true,
  })

/** Declares a kind of case: the calls that every kind has. */
export function caseCalls(declared: DeclaredCase) {
  const { kind, desk, path, about, noun, rights, attachPath = `attach/${about}/file` } = declared
  const files = filesOf(declared)
  const at = desk === 'platform' ? 'admin/' : 'muni/'
  // The platform's people work on those of all towns.
  const scope = desk === 'platform' ? ('none' as const) : ('company' as const)
  const by = (right: readonly [PolicyName, Right]): Access => ({ audience: desk, privilege: right })
  const [read, write, assign] = [by(rights.read), by(rights.write), by(rights.assign)]
  const ofFile = { fileId: z.string().check(z.regex(/^[0-9a-f-]{36}$/, 'Say which file is meant.')) }
  const preview = z.object({ preview: z.nullable(z.string()) })
  return {
    kind,
    desk,
    rights,
    files,
    /** Takes a file for a message that is not sent yet; the message names it. What no message names is gone after a day. */
    attach: endpoint({
      path: attachPath,
      summary: `Sends a file for a message of a ${noun}`,
      access: { audience: 'public' },
      whileOffline: true,
      files,
      body: z.object({ companyId, keepPosition }),
      answer: fileTaken,
    }),
    downloadFile: downloadCall({
      path: `${at}download/${path}/file`,
      summary: `A file of a ${noun}`,
      access: read,
      personal: true,
      body: z.extend(ofCase, ofFile),
    }),
    /** A small picture of a file that is a picture, as an address that holds it; null for others, and until it was scanned. */
    previewFile: endpoint({
      path: `${at}return/${path}/file/preview`,
      summary: `A small picture of a file of a ${noun}`,
      access: read,
      body: z.extend(ofCase, ofFile),
      answer: preview,
    }),
    /** Both once more for whoever comes by the mailed link. */
    downloadByLink: downloadCall({
      path: `download/${about}/file`,
      summary: 'A file of the conversation behind a mailed link',
      access: { audience: 'public' },
      whileOffline: true,
      body: z.object({ token: mailedToken, companyId, ...ofFile }),
    }),
    previewByLink: endpoint({
      path: `return/${about}/file/preview`,
      summary: 'A small picture of a file of the conversation behind a mailed link',
      access: { audience: 'public' },
      whileOffline: true,
      body: z.object({ token: mailedToken, companyId, ...ofFile }),
      answer: preview,
    }),
    /** Of live events. */
    topic: about,
    /** Mails the answer. Where another message came meanwhile it is a 409: what was typed may no longer fit. */
    reply: endpoint({
      path: `${at}reply/${path}`,
      idempotent: 'offered',
      summary: `Answers a ${noun} by mail`,
      access: write,
      body: z.extend(ofCase, {
        ...messageBody,
        seen: entryId,
        /** It is done by this. */
        complete: z._default(z.boolean(), false),
      }),
      answer: done,
    }),
    note: endpoint({
      path: `${at}note/${path}`,
      idempotent: 'offered',
      summary: `Adds an internal note to a ${noun}`,
      access: write,
      body: z.extend(ofCase, messageBody),
      answer: done,
    }),
    /** Gives it to somebody, to a department, or to nobody. 409 where it is not with `from` any more. */
    assign: endpoint({
      path: `${at}assign/${path}`,
      idempotent: 'offered',
      summary: `Assigns a ${noun} to somebody or to a department`,
      access: assign,
      body: z.extend(ofCase, {
        personId: z.nullable(rowId),
        departmentId: z._default(z.nullable(rowId), null),
        from: z.optional(z.nullable(rowId)),
        fromDepartment: z.optional(z.nullable(rowId)),
      }),
      answer: done,
    }),
    /** Those who work on them, and those who left and still have some. */
    assignees: endpoint({
      path: `${at}return/${about}/assignees`,
      summary: `Who works on a ${noun}, with how many are open`,
      access: read,
      scope,
      body: z.object({ companyId }),
      answer: z.object({
        people: z.array(z.object({ id: z.number(), name: z.string(), active: z.boolean(), open: z.int() })),
        departments: z.array(z.object({ id: z.number(), name: z.string(), active: z.boolean(), open: z.int() })),
      }),
    }),
    follow: endpoint({
      path: `${at}follow/${path}`,
      idempotent: 'offered',
      summary: `Says whether the caller is told of what comes to a ${noun}`,
      access: read,
      body: z.extend(ofCase, { watches: z.boolean() }),
      answer: done,
    }),
    seen: endpoint({
      path: `${at}seen/${path}`,
      summary: `Says up to where the caller has read a ${noun}`,
      access: read,
      body: z.extend(ofCase, { upTo: entryId }),
      answer: z.object({ success: z.literal(true) }),
    }),
    /** Of those that the caller has, whose department has them, or that they watch. */
    unread: endpoint({
      path: `${at}return/unread/${about}`,
      summary: `Each ${noun} with something in it that its caller has not read`,
      access: read,
      scope,
      body: z.object({ companyId }),
      answer: z.object({ cases: z.array(z.object({ companyId: z.number(), id: z.number(), count: z.int() })) }),
    }),
    answers: endpoint({
      path: `${at}return/${about}/answers`,
      summary: 'The answers that are kept to be used again',
      access: read,
      scope,
      body: z.object({ companyId }),
      answer: z.object({ answers: z.array(z.object({ id: z.number(), title: z.string(), text: z.string() })) }),
    }),
    saveAnswer: endpoint({
      path: `${at}save/${about}/answer`,
      idempotent: 'offered',
      summary: 'Keeps an answer to be used again, or changes one',
      access: write,
      scope,
      body: z.extend(cannedForm, {
        companyId,
        answerId: z.nullable(rowId),
        basis,
      }),
      answer: z.extend(done, { answerId: z.number() }),
    }),
    removeAnswer: endpoint({
      path: `${at}remove/${about}/answer`,
      idempotent: 'offered',
      summary: 'Removes an answer that was kept to be used again',
      access: write,
      scope,
      body: z.object({ companyId, answerId: rowId }),
      answer: done,
    }),
    /** Which one changed, for the screens that show them. It says no more than the number. */
    events: endpoint({
      path: `${at}watch/${path}s`,
      summary: `Tells when a ${noun} comes or changes`,
      method: 'GET',
      access: read,
      scope,
      answers: 'events',
      body: z.object({}),
      answer: z.object({ topic: z.string(), id: z.number() }),
    }),
    /** As the person sees it who follows the mailed link: what is for everyone alone. */
    conversation: endpoint({
      path: `return/${about}/conversation`,
      summary: 'The conversation behind a mailed link',
      access: { audience: 'public' },
      whileOffline: true,
      body: z.object({ token: mailedToken, companyId }),
      answer: z.object({
        number: z.string(),
        title: z.string(),
        state: z.object({ label: z.string(), kind: z.enum(stateKinds) }),
        entries: z.array(caseEntry),
        lastMessageId: z.int(),
        seenId: z.int(),
        can: z.object({ write: z.boolean() }),
        /** Another message opens it again. */
        reopens: z.boolean(),
      }),
    }),
    /** A further message by the mailed link. */
    message: endpoint({
      path: `send/${about}/message`,
      summary: 'Adds a message to the conversation behind a mailed link',
      access: { audience: 'public' },
      whileOffline: true,
      idempotent: true,
      body: z.object({ ...messageBody, token: mailedToken, companyId }),
      answer: done,
    }),
    readConversation: endpoint({
      path: `read/${about}/conversation`,
      summary: 'Says up to where the conversation behind a mailed link was read',
      access: { audience: 'public' },
      whileOffline: true,
      body: z.object({ token: mailedToken, upTo: entryId, companyId }),
      answer: z.object({ success: z.literal(true) }),
    }),
  }
}
