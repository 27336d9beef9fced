import * as z from 'zod/mini'
import { done } from '../../shared/answers.ts'
import { defineAttachments, fileTaken } from '../../shared/attachments.ts'
import { companyId, line, rowId } from '../../shared/body-parts.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { photoFiles } from '../../shared/photos.ts'
import { conflictStates } from './states.ts'

const audience = 'municipality'
export const look: Access = { audience, privilege: ['communication_management', 'view'] }
const change: Access = { audience, privilege: ['communication_management', 'update'] }

/** As features declare them (`server/field-parts.ts`): what a phone takes along, and who reads it there knows its kind. */
const things = z.record(z.string(), z.array(z.unknown()))

export const returnFieldDay = endpoint({
  path: 'muni/return/field/day',
  summary: 'The work orders, inspections and hydrants of one’s crew, to be taken along',
  access: look,
  body: z.object({ companyId }),
  answer: z.object({ takenAt: z.string(), today: z.string(), things }),
})

/** The id that a phone gives to what is done on it, which is the Idempotency-Key of its call. */
const actionId = z.string().check(z.regex(/^[0-9a-f]{32}$/, 'What a phone did has an id of 32 hexadecimal digits.'))
const instant = z.string().check(
  z.refine((text) => !Number.isNaN(Date.parse(text)) && /^\d{4}-\d\d-\d\dT/.test(text), {
    error: 'Say when it was done.',
  }),
)
const words = (most: number) => z.string().check(z.trim(), z.maxLength(most))

/** Whose value of a field counts: that of the phone, that of the others, or both in one. */
const side = z.enum(['mine', 'theirs', 'both'], 'Choose what counts.')

const collision = z.object({
  field: words(200),
  label: z.optional(words(300)),
  words: z.optional(z.object({ mine: words(2000), theirs: words(2000) })),
  mine: z.optional(z.unknown()),
  theirs: z.optional(z.unknown()),
  both: z.optional(z.unknown()),
  by: words(200),
  at: words(40),
})

export const keepConflict = formCall({
  path: 'muni/keep/field/conflict',
  summary: 'Keeps what was done without a connection and met what others had done, until somebody chooses',
  access: look,
  body: z.object({
    companyId,
    id: actionId,
    part: words(30),
    subjectId: rowId,
    subjectName: line(200),
    /** What was done, in words. */
    label: line(200),
    /** Its path. */
    call: words(100),
    body: z.record(z.string(), z.unknown()),
    /** Why it was refused. */
    refusal: words(1000),
    collisions: z.array(collision).check(z.maxLength(100)),
    madeAt: instant,
  }),
  answer: z.extend(done, { conflictId: z.number() }),
})

/** A photo that could not be added to what it was taken for. */
export const conflictPhotos = defineAttachments({
  kind: 'field_photo',
  subject: 'field_conflict',
  ...photoFiles,
  mostFiles: 1,
  access: look,
})
export const keepConflictPhoto = endpoint({
  path: 'muni/attach/field/photo',
  summary: 'Keeps the photo of what was done without a connection and could not be added',
  access: look,
  idempotent: 'offered',
  files: conflictPhotos,
  body: z.object({ companyId, id: actionId }),
  answer: fileTaken,
})

export const returnConflict = endpoint({
  path: 'muni/return/field/conflict',
  summary: 'What was done without a connection, and what others had done by then',
  access: look,
  body: z.object({ companyId, conflictId: rowId }),
  answer: z.object({
    id: z.number(),
    part: z.string(),
    subject: z.string(),
    label: z.string(),
    refusal: z.string(),
    /** `chosen`: whose value counts, once that is settled. */
    collisions: z.array(z.extend(collision, { chosen: z.optional(side) })),
    /** Of a photo that waits: a small picture of it. */
    preview: z.nullable(z.string()),
    by: z.string(),
    madeAt: z.string(),
    keptAt: z.string(),
    status: conflictStates.state,
    settledAt: z.string(),
    settledBy: z.string(),
    can: z.object({ settle: z.boolean() }),
  }),
})

/**
 * It is chosen field by field (`choices`), and what else was changed in the field counts as well. `choice` is for the whole of
 * it: where it met no field of others', or where nothing of it is wanted. `seen`: the others' values that somebody had before
 * them and chose among, so that none that came later is written over.
 */
export const settleConflict = formCall({
  path: 'muni/settle/field/conflict',
  summary: 'Chooses between what was done without a connection and what others had done',
  access: change,
  body: z.object({
    companyId,
    conflictId: rowId,
    choice: z.optional(z.enum(['mine', 'theirs'], 'Choose what counts.')),
    choices: z.optional(z.record(words(200), side)),
    seen: z.optional(z.record(z.string(), z.unknown())),
  }),
})
