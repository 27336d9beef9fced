import { copyCall } from '../../shared/copies.ts'
import * as z from 'zod/mini'
import { done, historyEntry } from '../../shared/responses.ts'
import { defineAttachments, uploadedFile } from '../../shared/attachments.ts'
import { type Access, downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import type { Definition, FormStep } from '../../shared/fields/definition.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { stepReason } from '../../shared/machine.ts'
import { photo, photoFiles, photoId } from '../../shared/photos.ts'
import { locationValue } from '../../shared/places.ts'
import { say } from '../../shared/messages.ts'
import { inspectionStates, itemStates } from './states.ts'
import { basis, companyId, rowId, rowIdBesideFile } from '../../shared/body-parts.ts'

const audience = 'municipality'
export const viewAccess: Access = { audience, privilege: ['inspections', 'view'] }
const enter: Access = { audience, privilege: ['inspections', 'create'] }
const change: Access = { audience, privilege: ['inspections', 'update'] }
/** Access for editors of templates. */
const govern: Access = { audience, privilege: ['inspections', 'delete'] }

const lines = (max: number) =>
  z.string().check(z.trim(), z.maxLength(max, { error: () => say`Use no more than ${max} characters.` }))
const timeOfDay = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Enter a time as HH:mm, for example 14:30.'))
const option = z.object({ id: z.number(), name: z.string() })

/** Returns the templates and subjects to choose from in inspection forms. */
export const returnInspectionOptions = endpoint({
  path: 'muni/return/inspection/subjects',
  summary: 'Returns the templates and subjects for new inspections',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({
    templates: z.array(z.extend(option, { subjectKind: z.string() })),
    subjects: z.array(z.object({ kind: z.string(), label: z.string(), items: z.array(option) })),
    can: z.object({ schedule: z.boolean(), govern: z.boolean() }),
  }),
})

const when = { dueOn: isoDate, startTime: timeOfDay, assignedTo: z.nullable(rowId) }
export const scheduleForm = z.object({
  templateId: z
    .int({ error: 'Choose a template.' })
    .check(z.minimum(1, 'Choose a template.'), z.maximum(Number.MAX_SAFE_INTEGER)),
  subjectId: z.nullable(rowId),
  location: locationValue,
  ...when,
})
export const scheduleInspection = formCall({
  path: 'muni/schedule/inspection',
  summary: 'Schedules an inspection of a subject or location',
  access: enter,
  body: z.extend(scheduleForm, { companyId }),
  response: z.extend(done, { inspectionId: z.number() }),
})

export const whenForm = z.object(when)
export const saveInspection = formCall({
  path: 'muni/save/inspection',
  summary: 'Changes the time or assignee of an inspection',
  access: change,
  body: z.extend(whenForm, { companyId, inspectionId: rowId, basis }),
})

export const transitionInspection = formCall({
  path: 'muni/transition/inspection',
  summary: 'Finishes or cancels an inspection',
  access: change,
  body: z.object({ companyId, inspectionId: rowId, event: inspectionStates.button, reason: z.optional(stepReason) }),
})

/** Schedules a re-inspection of the failed items. Each new item links to the item it repeats. */
export const repeatInspection = formCall({
  path: 'muni/repeat/inspection',
  summary: 'Schedules a re-inspection of the failed items of an inspection',
  access: enter,
  body: z.extend(whenForm, { companyId, inspectionId: rowId }),
  response: z.extend(done, { inspectionId: z.number() }),
})

const link = z.object({ id: z.number(), number: z.string() })

export const itemView = z.object({
  id: z.number(),
  title: z.string(),
  status: itemStates.state,
  /** Step of the field set, with the questions of this checklist item. */
  step: z.unknown() as unknown as z.ZodMiniType<FormStep>,
  answers: z.record(z.string(), z.unknown()),
  note: z.string(),
  reason: z.string(),
  doneAt: z.string(),
  doneBy: z.string(),
  /** Earlier item that this item repeats, in this or another inspection. */
  repeats: z.nullable(z.object({ inspection: link, status: itemStates.state, reason: z.string() })),
  isRepeated: z.boolean(),
  /** Reason why the item does not apply, because of answers to other items. Empty if the item applies. */
  skipReason: z.string(),
  photos: z.array(photo),
  orders: z.array(z.extend(link, { status: z.number() })),
  can: z.object({
    /** True while the item has no result. Staff can then also pass or fail it. */
    edit: z.boolean(),
    repeat: z.boolean(),
    steps: z.record(itemStates.button, z.boolean()),
  }),
})

export const returnInspection = endpoint({
  path: 'muni/return/inspection',
  summary: 'Returns an inspection with its items, photos and work orders',
  access: viewAccess,
  body: z.object({ companyId, inspectionId: rowId }),
  response: z.object({
    id: z.number(),
    number: z.string(),
    title: z.string(),
    subjectKind: z.string(),
    subjectLabel: z.string(),
    subjectName: z.string(),
    /** Path of the subject's page. Empty if the inspection has only a location. */
    subjectPath: z.string(),
    location: locationValue,
    status: inspectionStates.state,
    when: z.object({ dueOn: z.string(), startTime: z.string(), assignedTo: z.nullable(z.number()) }),
    assignedName: z.string(),
    isOverdue: z.boolean(),
    finishedAt: z.string(),
    finishedBy: z.string(),
    again: z.object({ of: z.nullable(link), by: z.nullable(link) }),
    items: z.array(itemView),
    /**
     * `countedItems` is the number of items that count toward the result. `doneItems` is the number of these items that
     * have a decision.
     */
    countedItems: z.int(),
    doneItems: z.int(),
    history: z.array(historyEntry),
    today: z.string(),
    can: z.object({
      edit: z.boolean(),
      again: z.boolean(),
      certificate: z.boolean(),
      steps: z.record(inspectionStates.button, z.boolean()),
    }),
  }),
})

export const answerItem = formCall({
  path: 'muni/answer/inspection/item',
  summary: 'Saves the answers and note of an inspection item',
  access: change,
  body: z.object({ companyId, itemId: rowId, answers: z.record(z.string(), z.unknown()), note: lines(1000), basis }),
})

/** Answers that staff entered in the row of an item. The portal saves them with the change of the state. */
const rowAnswers = { answers: z.optional(z.record(z.string(), z.unknown())), basis }

export const transitionItem = formCall({
  path: 'muni/transition/inspection/item',
  summary: 'Completes or passes an inspection item',
  access: change,
  body: z.object({
    companyId,
    itemId: rowId,
    event: z.enum(['complete', 'pass'], 'Complete or pass the item here. To fail an item, enter a reason.'),
    ...rowAnswers,
  }),
})

/** Completes and passes an item in one transaction. An item that is complete only passes. */
export const passItem = formCall({
  path: 'muni/pass/inspection/item',
  summary: 'Saves answers of an inspection item, completes it and passes it',
  access: change,
  body: z.object({ companyId, itemId: rowId, ...rowAnswers }),
})

/** Passes all undecided items that have their required answers. */
export const passItems = formCall({
  path: 'muni/pass/inspection/items',
  summary: 'Passes the undecided items of an inspection that have their answers',
  access: change,
  body: z.object({ companyId, inspectionId: rowId }),
  response: z.extend(done, {
    passed: z.int(),
    /** Items without a required answer. They stay undecided. */
    skipped: z.array(z.string()),
  }),
})

export const failForm = z.object({
  reason: stepReason,
  openOrder: z.boolean(),
  severity: z.union([z.literal(0), z.literal(1), z.literal(2)], 'Choose a severity level.'),
})
/**
 * Fails an item and, if `openOrder` is set, opens a work order in the same transaction. Completes an open item first.
 */
export const failItem = formCall({
  path: 'muni/fail/inspection/item',
  summary: 'Fails an inspection item and optionally opens a work order',
  access: change,
  body: z.extend(failForm, { companyId, itemId: rowId, ...rowAnswers }),
  response: z.extend(done, { order: z.nullable(link) }),
})

export const repeatItem = formCall({
  path: 'muni/repeat/inspection/item',
  summary: 'Creates a repeat item linked to an inspection item',
  access: change,
  body: z.object({ companyId, itemId: rowId }),
  response: z.extend(done, { itemId: z.number() }),
})

export const itemPhotos = defineAttachments({
  kind: 'inspection_photo',
  subject: 'inspection_item',
  ...photoFiles,
  maxFiles: 6,
  access: change,
})
export const addItemPhoto = endpoint({
  path: 'muni/attach/inspection/photo',
  summary: 'Uploads a photo for an inspection item',
  access: change,
  idempotent: 'offered',
  files: itemPhotos,
  body: z.object({ companyId, itemId: rowIdBesideFile('Choose an item.') }),
  response: uploadedFile,
})
export const removeItemPhoto = endpoint({
  path: 'muni/remove/inspection/photo',
  summary: 'Removes a photo from an unfinished inspection item',
  access: change,
  body: z.object({ companyId, itemId: rowId, photoId }),
  response: done,
})
export const downloadItemPhoto = downloadCall({
  path: 'muni/download/inspection/photo',
  summary: 'Downloads a photo of an inspection item',
  access: viewAccess,
  body: z.object({ companyId, itemId: rowId, photoId }),
})

export const printCertificate = downloadCall({
  path: 'muni/print/inspection/certificate',
  summary: 'Downloads the certificate of a passed inspection as PDF',
  access: viewAccess,
  body: z.object({ companyId, inspectionId: rowId }),
})

/** Definition of a template. Each step of its fields is one checklist item. */
const definition = z.unknown() as unknown as z.ZodMiniType<Definition>
export const templateForm = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(3, 'Enter a name of at least 3 characters.'),
      z.maxLength(120, 'Enter up to 120 characters.'),
    ),
  subjectKind: z.string().check(z.minLength(1, 'Choose a subject type.'), z.maxLength(30)),
  everyMonths: z.nullable(
    z
      .int({ error: 'Enter 1 to 120 months, or leave this empty.' })
      .check(z.minimum(1, 'Enter 1 to 120 months.'), z.maximum(120, 'Enter 1 to 120 months.')),
  ),
  certificate: lines(2000),
  isActive: z.boolean(),
})
export type TemplateForm = z.output<typeof templateForm>

export const addTemplate = formCall({
  path: 'muni/add/inspection/template',
  summary: 'Creates an inspection template',
  access: govern,
  body: z.extend(templateForm, { companyId }),
  response: z.extend(done, { templateId: z.number() }),
})
export const saveTemplate = formCall({
  path: 'muni/save/inspection/template',
  summary: 'Saves an inspection template',
  access: govern,
  body: z.extend(templateForm, { companyId, templateId: rowId, basis }),
})
export const copyTemplate = copyCall(
  'muni/copy/inspection/template',
  'Copies an inspection template that is not in use',
  govern,
)
export const returnTemplate = endpoint({
  path: 'muni/return/inspection/template',
  summary: 'Returns an inspection template with its draft items',
  access: viewAccess,
  body: z.object({ companyId, templateId: rowId }),
  response: z.object({
    id: z.number(),
    form: templateForm,
    draft: definition,
    latestVersion: z.number(),
    today: z.string(),
    subjects: z.array(z.object({ kind: z.string(), label: z.string() })),
    can: z.object({ edit: z.boolean() }),
  }),
})
export const saveTemplateItems = endpoint({
  path: 'muni/save/inspection/items',
  summary: 'Saves the draft items of an inspection template',
  access: govern,
  body: z.object({ companyId, templateId: rowId, definition, basis: z.optional(definition) }),
  response: z.extend(done, { definition }),
})
export const publishTemplateItems = endpoint({
  path: 'muni/publish/inspection/items',
  summary: 'Publishes the draft items of an inspection template as a version',
  access: govern,
  body: z.object({ companyId, templateId: rowId, definition }),
  response: z.extend(done, { version: z.number() }),
})
