import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { defineAttachments, uploadedFile } from '../../shared/attachments.ts'
import { companyId, line, rowId } from '../../shared/body-parts.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { photoFiles } from '../../shared/photos.ts'
import { conflictStates } from './states.ts'

const audience = 'municipality'
export const viewAccess: Access = { audience, privilege: ['field_work', 'view'] }
const change: Access = { audience, privilege: ['field_work', 'update'] }

/**
 * Records by kind, as features declare them (`server/field-parts.ts`). On the phone, the code for each kind interprets
 * its records.
 */
const records = z.record(z.string(), z.array(z.unknown()))

export const returnFieldDay = endpoint({
  path: 'muni/return/field/day',
  summary: 'Returns the work orders, inspections and hydrants for offline work',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({ takenAt: z.string(), today: z.string(), records }),
})

/** Id that a phone assigns to an action. The call uses this id as its Idempotency-Key. */
const actionId = z.string().check(z.regex(/^[0-9a-f]{32}$/, 'Send a 32-digit hexadecimal action ID.'))
const instant = z.string().check(
  z.refine((text) => !Number.isNaN(Date.parse(text)) && /^\d{4}-\d\d-\d\dT/.test(text), {
    error: 'Enter the time of the action.',
  }),
)
const shortText = (max: number) => z.string().check(z.trim(), z.maxLength(max))

/** Choice of the value for a field: the phone's, the other person's, or both combined. */
const side = z.enum(['own', 'others', 'both'], 'Choose a version.')

const fieldConflict = z.object({
  field: shortText(200),
  label: z.optional(shortText(300)),
  texts: z.optional(z.object({ own: shortText(2000), others: shortText(2000) })),
  own: z.optional(z.unknown()),
  others: z.optional(z.unknown()),
  both: z.optional(z.unknown()),
  by: shortText(200),
  at: shortText(40),
})

export const saveConflict = formCall({
  path: 'muni/save/field/conflict',
  summary: 'Saves an offline action that conflicts with other changes',
  access: viewAccess,
  body: z.object({
    companyId,
    id: actionId,
    part: shortText(30),
    subjectId: rowId,
    subjectName: line(200),
    /** Description of the action. */
    label: line(200),
    /** Path of the call. */
    call: shortText(100),
    body: z.record(z.string(), z.unknown()),
    refusal: shortText(1000),
    fieldConflicts: z.array(fieldConflict).check(z.maxLength(100)),
    madeAt: instant,
  }),
  response: z.extend(done, { conflictId: z.number() }),
})

/** A photo that could not be added to its record. */
export const conflictPhotos = defineAttachments({
  kind: 'field_photo',
  subject: 'field_conflict',
  ...photoFiles,
  maxFiles: 1,
  access: viewAccess,
})
export const keepConflictPhoto = endpoint({
  path: 'muni/attach/field/photo',
  summary: 'Uploads the photo of a conflicting offline action',
  access: viewAccess,
  idempotent: 'offered',
  files: conflictPhotos,
  body: z.object({ companyId, id: actionId }),
  response: uploadedFile,
})

export const returnConflict = endpoint({
  path: 'muni/return/field/conflict',
  summary: 'Returns a sync conflict with both versions of each field',
  access: viewAccess,
  body: z.object({ companyId, conflictId: rowId }),
  response: z.object({
    id: z.number(),
    part: z.string(),
    subject: z.string(),
    label: z.string(),
    refusal: z.string(),
    /** `chosen` is the side that was applied. Set only after the conflict is resolved. */
    fieldConflicts: z.array(z.extend(fieldConflict, { chosen: z.optional(side) })),
    /** Thumbnail of a photo that waits for a decision. */
    preview: z.nullable(z.string()),
    by: z.string(),
    madeAt: z.string(),
    storedAt: z.string(),
    status: conflictStates.state,
    decidedAt: z.string(),
    decidedBy: z.string(),
    can: z.object({ decide: z.boolean() }),
  }),
})

/**
 * Resolves a conflict with one choice for each field (`choices`), and applies the action's other changes. `choice`
 * covers the whole action, if no field collided or if staff discard the action. `seen` contains the other person's
 * values that staff saw when they chose, so that later values are not overwritten.
 */
export const resolveConflict = formCall({
  path: 'muni/resolve/field/conflict',
  summary: 'Resolves a sync conflict by choosing the versions to apply',
  access: change,
  body: z.object({
    companyId,
    conflictId: rowId,
    choice: z.optional(z.enum(['own', 'others'], 'Choose a version.')),
    choices: z.optional(z.record(shortText(200), side)),
    seen: z.optional(z.record(z.string(), z.unknown())),
  }),
})
