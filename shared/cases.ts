import * as z from 'zod/mini'
import { mobileField, nameField } from './accounts.ts'
import { done } from './responses.ts'
import { type Attachments, defineAttachments, keepPosition, uploadedFile } from './attachments.ts'
import { CARD_NUMBER, holdsCardNumber } from './card-number.ts'
import { emailOrNone } from './email.ts'
import { type Access, downloadCall, endpoint } from './endpoint.ts'
import { JPEG, PDF, PNG } from './file-types.ts'
import type { PrivilegeName, Permission } from './privileges.ts'
import { say } from './messages.ts'
import { basis, companyId, rowId } from './body-parts.ts'

/**
 * A case is the timeline of a subject, such as a support request or a work order. Its entries are messages, replies,
 * notes, transitions, assignments, files and payments. `caseCalls` declares the calls of each case type,
 * `server/cases/` implements them, and `web/cases/` contains the screens.
 */

/** Staff who work on a case: the platform's or a municipality's. */
export type CaseAudience = 'platform' | 'municipality'

/** Number of days for which an emailed link opens its conversation. */
export const LINK_DAYS = 90

/** Number of the last entry that a viewer has seen. 0 for none. */
const entryId = z.int().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER))

/** Numbers of the states of a request (spec 4.4). */
export const caseStatus = { new: 0, inProgress: 1, completed: 2, reopened: 3, invalid: 4 } as const

/**
 * States of a request (spec 4.4). The state machines of support requests and municipality requests include these
 * states.
 */
export const caseStates = {
  [caseStatus.new]: { label: 'New', kind: 'attention', open: true },
  [caseStatus.inProgress]: { label: 'In Progress', kind: 'waiting', open: true },
  [caseStatus.completed]: { label: 'Completed', kind: 'good' },
  [caseStatus.reopened]: { label: 'Reopen', kind: 'undone', open: true },
  [caseStatus.invalid]: { label: 'Invalid', kind: 'neutral' },
} as const

/** Identifies a case in a request body. `companyId` may be missing on a municipality's own host. */
export const ofCase = z.object({
  companyId: z.optional(z.int().check(z.minimum(1), z.maximum(2_147_483_647))),
  subjectId: rowId,
})

export type CaseSubject = z.output<typeof ofCase>

/** Refuses card numbers in text that is stored, as the card networks require. */
export const noCardNumber = z.refine<string>((text) => !holdsCardNumber(text), { error: CARD_NUMBER })

/** Maximum number of files that a message may have. */
const MAX_FILES = 5
const TOO_MANY_FILES = {
  error: () => say`Attach up to ${MAX_FILES} files to one message. Send the others in another message.`,
}

/** Ids of files that were uploaded before their message, as the upload call returned them. */
export const fileIds = z._default(
  z
    .array(
      z
        .string()
        .check(
          z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'Use the file IDs that the upload call returned.'),
        ),
    )
    .check(z.maxLength(MAX_FILES, TOO_MANY_FILES)),
  [],
)
/** Ids of uploaded files, for a form field that shows them. */
export const filesField = z._default(
  z
    .array(z.object({ file_id: z.string(), path: z.string(), name: z.string() }))
    .check(z.maxLength(MAX_FILES, TOO_MANY_FILES)),
  [],
)

export const MESSAGE_LONG = 'Please use no more than 4,000 characters.'
export const REACH_REQUIRED = 'Enter an email address or a phone number, so that we can reply.'

/** Contact fields for people who write from a public page. */
export const contactFields = {
  name: nameField('Enter your name.'),
  email: emailOrNone,
  phone: mobileField,
  /** Hidden field that bots fill in. People leave it empty, and screen readers announce the reason. */
  leaveEmpty: z._default(
    z.string().check(z.maxLength(0, 'Leave the last field empty. It only catches automated messages.')),
    '',
  ),
}
export const reachable = z.refine<{ email: string; phone: string }>(
  ({ email, phone }) => email !== '' || phone !== '',
  {
    error: REACH_REQUIRED,
    path: ['email'],
    // Runs even if other fields have errors, so that the form shows all errors together.
    when: ({ value }) => typeof value === 'object' && value !== null,
  },
)
const message = z
  .string()
  .check(z.trim(), z.minLength(1, 'Enter your message.'), z.maxLength(4000, MESSAGE_LONG), noCardNumber)
const messageBody = { message, files: fileIds }

/** Mark of a placeholder without a value in a saved reply. */
export const UNFILLED = '[…]'
const UNFILLED_LEFT = 'Replace “[…]” with text before you send the reply.'
const isFilled = (text: string): boolean => !text.includes(UNFILLED)

/** Placeholders of saved replies. */
export const placeholders = ['first_name', 'number', 'category', 'place', 'target', 'me', 'phone', 'order'] as const
export type ReplyFills = Partial<Readonly<Record<(typeof placeholders)[number], string>>>

/** Fills in the placeholders of a saved reply. A placeholder without a value becomes `[…]`. */
export const fillReply = (text: string, fills: ReplyFills): string =>
  text.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => fills[name as keyof ReplyFills] || UNFILLED)
export const messageForm = z.object({ message, files: filesField })
/** Form under a conversation: a reply to the person or an internal note. */
export const replyForm = z.extend(messageForm, { kind: z.enum(['reply', 'note']), complete: z.boolean() }).check(
  z.refine(({ kind, message: text }) => kind === 'note' || isFilled(text), {
    error: UNFILLED_LEFT,
    path: ['message'],
  }),
)

export const REPLY_TITLE_REQUIRED = 'Enter a name of up to 80 characters for the saved reply.'
export const savedReplyForm = z.object({
  title: z
    .string()
    .check(z.trim(), z.minLength(1, REPLY_TITLE_REQUIRED), z.maxLength(80, REPLY_TITLE_REQUIRED), noCardNumber),
  text: z.string().check(z.trim(), z.minLength(1, 'Enter the reply.'), z.maxLength(4000, MESSAGE_LONG), noCardNumber),
})
/** Maximum number of saved replies for one case type. */
export const MAX_SAVED_REPLIES = 200

export const mailedToken = z
  .string()
  .check(z.regex(/^[\w-]{43}$/, 'This link is incomplete. Open the full link from your email.'))

/** File of a message. People can open the file only after a clean virus scan. */
export const caseFile = z.object({
  id: z.string(),
  name: z.string(),
  contentType: z.string(),
  bytes: z.number(),
  state: z.enum(['waiting', 'clean', 'refused']),
  /** Location of the photo. Null if the person did not agree to save it. */
  position: z.nullable(z.object({ lat: z.number(), lon: z.number() })),
})
export type CaseFile = z.output<typeof caseFile>

/** Payment that belongs to the subject of a case, with its current status. */
export const casePayment = z.object({
  state: z.enum(['pending', 'paid', 'refunded']),
  cents: z.int(),
  /** Refunded amount, in cents. */
  refundCents: z.int(),
  /** Number of the payment: `P1234`. */
  number: z.string(),
})
export type CasePayment = z.output<typeof casePayment>

export const caseEntry = z.object({
  key: z.string(),
  /**
   * Number of a message, reply, note or assignment, which increases with each new entry. 0 for transitions, payments
   * and the opening message.
   */
  id: z.int(),
  at: z.string(),
  kind: z.enum(['message', 'reply', 'note', 'step', 'assignment', 'payment']),
  visibility: z.enum(['everyone', 'staff']),
  by: z.string(),
  /** True if the viewer wrote the entry. */
  isOwn: z.boolean(),
  text: z.string(),
  /** For a transition, the new state. For an assignment, the assignee, or '' if unassigned. */
  label: z.string(),
  files: z.array(caseFile),
  /** Null unless the entry is a payment. */
  payment: z.nullable(casePayment),
})
export type CaseEntry = z.output<typeof caseEntry>

/** Assignee of a case: a person or a department. If both are null, the case is unassigned and the name is empty. */
export const caseHolder = z.object({
  personId: z.nullable(z.number()),
  departmentId: z.nullable(z.number()),
  name: z.string(),
  /** True if the assignee is still active. Cases of a person who left stay assigned until someone reassigns them. */
  active: z.boolean(),
})
export type CaseHolder = z.output<typeof caseHolder>

/** A case as staff see it. Its screen also shows the subject, as the feature displays it. */
export const caseView = z.object({
  /** Entries of the timeline, oldest first. */
  entries: z.array(caseEntry),
  /**
   * Id of the last message. A reply includes this id, so that the server can detect that a newer message has arrived.
   */
  lastMessageId: z.int(),
  /** Last entry that the viewer had read. Null if they never opened the case. */
  seenId: z.nullable(z.int()),
  watching: z.boolean(),
  watchers: z.array(z.string()),
  holder: caseHolder,
  /** True if the requester gave an email address. The portal then sends replies by email. */
  hasEmail: z.boolean(),
  can: z.object({ reply: z.boolean(), note: z.boolean(), assign: z.boolean() }),
})
export type CaseView = z.output<typeof caseView>

export const stateKinds = ['good', 'waiting', 'attention', 'bad', 'undone', 'neutral'] as const

interface DeclaredCase {
  /** Name in tables and the audit log: `support_request`. */
  kind: string
  audience: CaseAudience
  /**
   * Last part of the paths of staff calls. If it is `support/request`, one of the paths is
   * `admin/reply/support/request`.
   */
  path: string
  /** Middle part of the paths of public calls. If it is `support`, one of the paths is `return/support/messages`. */
  about: string
  /** Noun in the API document: `support request`. */
  noun: string
  /**
   * True if the location of a photo matters. The form then asks the sender whether the portal may save the location.
   */
  needsPosition?: boolean
  /** Path of the upload call. Set only if the specification names a path other than `attach/…/file`. */
  attachPath?: string
  rights: {
    read: readonly [PrivilegeName, Permission]
    write: readonly [PrivilegeName, Permission]
    assign: readonly [PrivilegeName, Permission]
  }
}

export type CaseCalls = ReturnType<typeof caseCalls>

/**
 * Returns the file rules of a case type. Everyone who may write a message may also upload files, including guests with
 * an emailed link.
 */
const filesOf = ({ kind, needsPosition = false }: DeclaredCase): Attachments =>
  defineAttachments({
    kind: `${kind}_file`,
    subject: 'case_entry',
    accepts: [JPEG, PNG, PDF],
    maxBytes: 10 * 1024 * 1024,
    maxFiles: MAX_FILES,
    unsupportedType: 'Upload a PNG or JPG image, or a PDF.',
    unnamed: 'file',
    needsPosition,
    access: { audience: 'public' },
    whileOffline: true,
    whenOff: 'finish',
  })

/** Declares the calls that all case types share. */
export function caseCalls(declared: DeclaredCase) {
  const { kind, audience, path, about, noun, rights, attachPath = `attach/${about}/file` } = declared
  const files = filesOf(declared)
  const at = audience === 'platform' ? 'admin/' : 'muni/'
  // Calls of platform staff have no company scope, because platform staff work on the cases of all companies.
  const scope = audience === 'platform' ? ('none' as const) : ('company' as const)
  const by = (permission: readonly [PrivilegeName, Permission]): Access => ({ audience, privilege: permission })
  const [read, write, assign] = [by(rights.read), by(rights.write), by(rights.assign)]
  const ofFile = { fileId: z.string().check(z.regex(/^[0-9a-f-]{36}$/, 'Select a file.')) }
  const preview = z.object({ preview: z.nullable(z.string()) })
  return {
    kind,
    audience,
    rights,
    files,
    /** Uploads a file for a message that is not sent yet. If no message uses the file within a day, it is deleted. */
    attach: endpoint({
      path: attachPath,
      inPreview: true,
      summary: `Uploads a file for a message of a ${noun}`,
      access: { audience: 'public' },
      whileOffline: true,
      whenOff: 'finish',
      files,
      body: z.object({ companyId, keepPosition }),
      response: uploadedFile,
    }),
    downloadFile: downloadCall({
      path: `${at}download/${path}/file`,
      summary: `Downloads a file of a ${noun}`,
      access: read,
      personal: true,
      body: z.extend(ofCase, ofFile),
    }),
    /** Returns a thumbnail as a data URL. Null if the file has no thumbnail or has not passed the virus scan. */
    previewFile: endpoint({
      path: `${at}return/${path}/file/preview`,
      summary: `Returns a thumbnail of a file of a ${noun}`,
      access: read,
      body: z.extend(ofCase, ofFile),
      response: preview,
    }),
    /** Downloads and previews a file, for people with the emailed link. */
    downloadByLink: downloadCall({
      path: `download/${about}/file`,
      summary: 'Downloads a file of a case by emailed link',
      access: { audience: 'public' },
      whileOffline: true,
      whenOff: 'finish',
      body: z.object({ token: mailedToken, companyId, ...ofFile }),
    }),
    previewByLink: endpoint({
      path: `return/${about}/file/preview`,
      summary: 'Returns a thumbnail of a case file by emailed link',
      access: { audience: 'public' },
      whileOffline: true,
      whenOff: 'finish',
      body: z.object({ token: mailedToken, companyId, ...ofFile }),
      response: preview,
    }),
    topic: about,
    /** Emails the reply. Returns 409 if a newer message arrived, because the reply may no longer fit. */
    reply: endpoint({
      path: `${at}reply/${path}`,
      idempotent: 'offered',
      summary: `Replies to a ${noun} by email`,
      access: write,
      body: z.extend(ofCase, {
        message: message.check(z.refine(isFilled, UNFILLED_LEFT)),
        files: fileIds,
        seen: entryId,
        /** Saved reply that the message started with. The portal counts its use. */
        savedReplyId: z.optional(rowId),
        /** True if the reply also completes the case. */
        complete: z._default(z.boolean(), false),
      }),
      response: done,
    }),
    note: endpoint({
      path: `${at}note/${path}`,
      idempotent: 'offered',
      summary: `Adds an internal note to a ${noun}`,
      access: write,
      body: z.extend(ofCase, messageBody),
      response: done,
    }),
    /**
     * Assigns the case to a person or department, or removes the assignment. Returns 409 if the current assignee is not
     * `from`.
     */
    assign: endpoint({
      path: `${at}assign/${path}`,
      idempotent: 'offered',
      summary: `Assigns a ${noun} to a person or a department`,
      access: assign,
      body: z.extend(ofCase, {
        personId: z.nullable(rowId),
        departmentId: z._default(z.nullable(rowId), null),
        from: z.optional(z.nullable(rowId)),
        fromDepartment: z.optional(z.nullable(rowId)),
      }),
      response: done,
    }),
    /** Lists the possible assignees: active people and departments, and inactive ones that still have open cases. */
    assignees: endpoint({
      path: `${at}return/${about}/assignees`,
      summary: `Lists the possible assignees of a ${noun}, with their open cases`,
      access: read,
      scope,
      body: z.object({ companyId }),
      response: z.object({
        people: z.array(z.object({ id: z.number(), name: z.string(), active: z.boolean(), open: z.int() })),
        departments: z.array(z.object({ id: z.number(), name: z.string(), active: z.boolean(), open: z.int() })),
      }),
    }),
    follow: endpoint({
      path: `${at}follow/${path}`,
      idempotent: 'offered',
      summary: `Watches a ${noun}, or stops watching it`,
      access: read,
      body: z.extend(ofCase, { watches: z.boolean() }),
      response: done,
    }),
    seen: endpoint({
      path: `${at}seen/${path}`,
      summary: `Saves the last entry of a ${noun} that the caller has read`,
      access: read,
      body: z.extend(ofCase, { upTo: entryId }),
      response: z.object({ success: z.literal(true) }),
    }),
    /**
     * Lists the cases with unread entries that the caller watches, or that are assigned to the caller or their
     * department. Includes the number of unread entries of each case.
     */
    unread: endpoint({
      path: `${at}return/unread/${about}`,
      summary: `Lists each ${noun} with entries that the caller has not read`,
      access: read,
      scope,
      body: z.object({ companyId }),
      response: z.object({ cases: z.array(z.object({ companyId: z.number(), id: z.number(), count: z.int() })) }),
    }),
    /** Tells other staff that the caller has the case open, writes an answer, or left it. Nothing is stored. */
    presence: endpoint({
      path: `${at}watch/${path}/presence`,
      summary: `Tells other staff that the caller has a ${noun} open`,
      access: read,
      body: z.extend(ofCase, {
        state: z.enum(['viewing', 'writing', 'gone']),
        /** Identifies the screen, because a person may have several. */
        screen: z.string().check(z.regex(/^[\w-]{8,36}$/)),
      }),
      response: z.object({ success: z.literal(true) }),
    }),
    /** Lists the other staff who have cases open. */
    present: endpoint({
      path: `${at}return/${about}/presence`,
      summary: `Lists the other staff who have a ${noun} open`,
      access: read,
      scope,
      body: z.object({ companyId }),
      response: z.object({
        people: z.array(z.object({ companyId: z.number(), id: z.number(), name: z.string(), isWriting: z.boolean() })),
      }),
    }),
    savedReplies: endpoint({
      path: `${at}return/${about}/saved/replies`,
      summary: 'Returns the saved replies',
      access: read,
      scope,
      /** With a case, the replies are in order of use, those of similar cases first. Otherwise by name. */
      body: z.object({ companyId, subjectId: z.optional(rowId) }),
      response: z.object({ savedReplies: z.array(z.object({ id: z.number(), title: z.string(), text: z.string() })) }),
    }),
    saveReply: endpoint({
      path: `${at}save/${about}/saved/reply`,
      idempotent: 'offered',
      summary: 'Creates or changes a saved reply',
      access: write,
      scope,
      body: z.extend(savedReplyForm, {
        companyId,
        savedReplyId: z.nullable(rowId),
        basis,
      }),
      response: z.extend(done, { savedReplyId: z.number() }),
    }),
    removeReply: endpoint({
      path: `${at}remove/${about}/saved/reply`,
      idempotent: 'offered',
      summary: 'Removes a saved reply',
      access: write,
      scope,
      body: z.object({ companyId, savedReplyId: rowId }),
      response: done,
    }),
    /** Streams the ids of changed cases to open screens. Sends no content. */
    events: endpoint({
      path: `${at}watch/${path}s`,
      summary: `Streams the ids of each new or changed ${noun}`,
      method: 'GET',
      access: read,
      scope,
      responseType: 'events',
      body: z.object({}),
      response: z.object({
        topic: z.string(),
        id: z.number(),
        /** True if the case did not change, but a person opened, answers or left it. */
        presence: z.optional(z.literal(true)),
      }),
    }),
    /** Returns the public part of a conversation, for the person with the emailed link. */
    messages: endpoint({
      path: `return/${about}/messages`,
      summary: 'Returns the messages of a case by emailed link',
      access: { audience: 'public' },
      whileOffline: true,
      whenOff: 'finish',
      body: z.object({ token: mailedToken, companyId }),
      response: z.object({
        number: z.string(),
        title: z.string(),
        state: z.object({ label: z.string(), kind: z.enum(stateKinds) }),
        entries: z.array(caseEntry),
        lastMessageId: z.int(),
        seenId: z.int(),
        can: z.object({ write: z.boolean() }),
        /** True if another message reopens the case. */
        reopens: z.boolean(),
      }),
    }),
    /** Adds a message to the conversation that the emailed link opens. */
    message: endpoint({
      path: `send/${about}/message`,
      summary: 'Adds a message to a case by emailed link',
      access: { audience: 'public' },
      whileOffline: true,
      whenOff: 'finish',
      idempotent: true,
      body: z.object({ ...messageBody, token: mailedToken, companyId }),
      response: done,
    }),
    readMessages: endpoint({
      path: `read/${about}/messages`,
      summary: 'Saves the last read message of a case by emailed link',
      access: { audience: 'public' },
      whileOffline: true,
      whenOff: 'finish',
      body: z.object({ token: mailedToken, upTo: entryId, companyId }),
      response: z.object({ success: z.literal(true) }),
    }),
  }
}
