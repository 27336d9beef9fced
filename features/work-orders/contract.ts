import { copyCall } from '../../shared/copies.ts'
import * as z from 'zod/mini'
import { done, historyEntry } from '../../shared/responses.ts'
import { type Attachments, defineAttachments, uploadedFile } from '../../shared/attachments.ts'
import { type Access, downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { stepReason } from '../../shared/machine.ts'
import { photo, photoFiles, photoId } from '../../shared/photos.ts'
import { locationValue } from '../../shared/places.ts'
import { repeats } from '../../shared/repeats.ts'
import { say } from '../../shared/messages.ts'
import { costLabels, kindLabels } from './rules.ts'
import { orderStates } from './states.ts'
import { basis, companyId, line, searchLine, rowId, rowIdBesideFile } from '../../shared/body-parts.ts'

/** Audience of these calls. Platform administrators may act for a company like its staff (product rules, section 8). */
const audience = ['municipality', 'platform'] as const
export const viewAccess: Access = { audience, privilege: ['work_orders', 'view'] }
const open: Access = { audience, privilege: ['work_orders', 'create'] }
const change: Access = { audience, privilege: ['work_orders', 'update'] }

const orderId = rowId

const longText = z
  .string()
  .check(z.trim(), z.maxLength(4000, { error: () => say`Use no more than ${'4,000'} characters.` }))
const timeOfDay = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Enter a time as HH:mm, for example 14:30.'))
const dayOrNone = z.union([isoDate, z.string().check(z.length(0))])
const MINUTES = 'Enter a duration from 15 minutes to 24 hours.'
const minutes = z.int({ error: MINUTES }).check(z.minimum(15, MINUTES), z.maximum(1440, MINUTES))

const QUANTITY = 'Enter a whole number from 1 to 100,000.'
const quantity = z.int({ error: QUANTITY }).check(z.minimum(1, QUANTITY), z.maximum(100_000, QUANTITY))
const unitCents = z
  .int({ error: 'Enter an amount, such as 25.00.' })
  .check(z.minimum(0, 'Enter $0.00 or more.'), z.maximum(100_000_000, 'Enter $1,000,000.00 or less.'))
export const MAX_PARTS = 20
/** Parts to bring. A part becomes a cost of the order only when staff record its use. */
const parts = z
  .array(z.object({ text: line(200).check(z.minLength(1, 'Enter the part.')), quantity, unitCents }))
  .check(z.maxLength(MAX_PARTS, { error: () => say`Enter up to ${MAX_PARTS} parts.` }))
export type PlannedPart = z.output<typeof parts>[number]

const TITLE = 'Describe the task in 3 to 120 characters.'
const orderFields = {
  title: line(120).check(z.minLength(3, TITLE)),
  description: longText,
  kind: z.enum(Object.keys(kindLabels) as [keyof typeof kindLabels]),
  severity: z.literal([0, 1, 2]),
  location: locationValue,
  assetName: line(120),
  dueOn: dayOrNone,
  departmentId: z.nullable(rowId),
  assignedTo: z.nullable(rowId),
  crewId: z.nullable(rowId),
  parts,
}
/** Crew and parts of the order. If a request omits them, they do not change, because older clients do not send them. */
const optionalFields = { crewId: z.optional(orderFields.crewId), parts: z.optional(parts) }
export const orderDetails = z.object(orderFields)
export type WorkOrderDetails = z.output<typeof orderDetails>

export const MAX_TASKS = 40
const checklist = z
  .array(line(200).check(z.minLength(1, 'Enter the task.')))
  .check(z.maxLength(MAX_TASKS, { error: () => say`A checklist can have up to ${MAX_TASKS} items.` }))
/** Checklist as text, one item per line. */
export const checklistText = z.string().check(
  z.maxLength(MAX_TASKS * 201),
  z.refine((text) => linesOf(text).length <= MAX_TASKS, {
    error: () => say`A checklist can have up to ${MAX_TASKS} items.`,
  }),
  z.refine((text) => linesOf(text).every((one) => one.length <= 200), {
    error: 'A checklist item can have up to 200 characters.',
  }),
)
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((one) => one.trim())
    .filter(Boolean)

const LEAD = 'Enter a number of days from 0 to 90.'
const timeOrNone = z.union([timeOfDay, z.string().check(z.length(0))])
const leadDays = z.int({ error: LEAD }).check(z.minimum(0, LEAD), z.maximum(90, LEAD))

/** Start and recurrence of a new order. */
const plannedStart = {
  startsOn: dayOrNone,
  startTime: timeOrNone,
  minutes,
  /** True if the portal also saves a maintenance plan that opens the next orders. */
  repeat: z.boolean(),
  repeats,
  leadDays,
}
export const noStart = {
  ...{ startsOn: '', startTime: '', minutes: 120, repeat: false, leadDays: 14 },
  repeats: { unit: 'month', every: 1, weekdays: [], by: 'day', until: '' },
} satisfies z.output<z.ZodMiniObject<typeof plannedStart>>
/** Start for the call. If a request omits a field, the call uses the value of `noStart`. */
const optionalStart = {
  startsOn: z._default(plannedStart.startsOn, noStart.startsOn),
  startTime: z._default(plannedStart.startTime, noStart.startTime),
  minutes: z._default(minutes, noStart.minutes),
  repeat: z._default(plannedStart.repeat, noStart.repeat),
  repeats: z._default(repeats, noStart.repeats),
  leadDays: z._default(leadDays, noStart.leadDays),
}
interface PlannedStart {
  startsOn: string
  startTime: string
  repeat: boolean
  dueOn: string
}
const startRules = [
  z.refine<PlannedStart>(({ startsOn, startTime }) => startsOn === '' || startTime !== '', {
    error: 'Enter a time, or clear the start day.',
    path: ['startTime'],
  }),
  z.refine<PlannedStart>(({ startsOn, startTime }) => startTime === '' || startsOn !== '', {
    error: 'Enter the day of this time.',
    path: ['startsOn'],
  }),
  z.refine<PlannedStart>(({ startsOn, dueOn, repeat }) => !repeat || startsOn !== '' || dueOn !== '', {
    error: 'Enter the start or the due date of the first work order.',
    path: ['startsOn'],
  }),
]
export const newOrderForm = z.object({ ...orderFields, checklist: checklistText, ...plannedStart }).check(...startRules)

export const openOrder = formCall({
  path: 'muni/open/work/order',
  summary: 'Creates a work order',
  access: open,
  body: z
    .object({ ...orderFields, ...optionalFields, checklist: z._default(checklist, []), ...optionalStart, companyId })
    .check(...startRules),
  response: z.extend(done, { orderId: z.number(), number: z.string() }),
})

export const saveOrder = formCall({
  path: 'muni/save/work/order',
  summary: 'Saves the details of a work order',
  access: change,
  body: z.object({ ...orderFields, ...optionalFields, companyId, orderId, basis }),
})

export const changeOrderStatus = formCall({
  path: 'muni/change/work/order/status',
  summary: 'Changes the status of a work order',
  access: change,
  body: z.object({ companyId, orderId, event: orderStates.button, reason: z.optional(stepReason) }),
  response: z.extend(done, { status: orderStates.state }),
})

export const scheduleForm = z.object({
  day: isoDate,
  time: timeOfDay,
  minutes,
  assignedTo: z.nullable(rowId),
})

/** Schedules an order and shows it in the calendar. If `schedule` is null, removes the order from the calendar. */
export const scheduleOrder = formCall({
  path: 'muni/schedule/work/order',
  summary: 'Schedules a work order or removes it from the calendar',
  access: change,
  body: z.object({ companyId, orderId, schedule: z.nullable(scheduleForm) }),
})

/** Forms for text that staff enter on site: a checklist item, and the notes of an order. */
export const lineForm = z.object({ text: line(200).check(z.minLength(1, 'Enter the task.')) })
export const noteForm = z.object({ text: longText })

export const addTask = formCall({
  path: 'muni/add/work/task',
  summary: 'Adds a checklist item to a work order',
  access: change,
  body: z.object({ companyId, orderId, text: line(200).check(z.minLength(1, 'Enter the task.')) }),
})

export const tickTask = formCall({
  path: 'muni/tick/work/task',
  summary: 'Checks or unchecks a checklist item of a work order',
  access: change,
  body: z.object({ companyId, orderId, no: z.int().check(z.minimum(1), z.maximum(1000)), done: z.boolean(), basis }),
})

export const costForm = z.object({
  kind: z.enum(Object.keys(costLabels) as [keyof typeof costLabels]),
  text: line(200).check(z.minLength(1, 'Enter the purpose.')),
  quantity,
  unitCents,
})

export const addCost = formCall({
  path: 'muni/add/work/cost',
  summary: 'Adds hours, parts or another cost to a work order',
  access: change,
  body: z.extend(costForm, { companyId, orderId }),
})

export const voidCost = endpoint({
  path: 'muni/void/work/cost',
  summary: 'Voids a wrong cost line of a work order',
  whileImpersonating: 'refused',
  access: change,
  body: z.object({ companyId, orderId, no: z.int().check(z.minimum(1), z.maximum(100_000)) }),
  response: done,
})

const photos = { ...photoFiles, subject: 'work_order', maxFiles: 12 }
export const photosBefore = defineAttachments({ ...photos, kind: 'work_before', unnamed: 'before', access: change })
export const photosAfter = defineAttachments({ ...photos, kind: 'work_after', unnamed: 'after', access: change })

const addPhoto = (when: 'before' | 'after', files: Attachments) =>
  endpoint({
    path: `muni/attach/work/photo/${when}`,
    idempotent: 'offered',
    summary: `Adds a photo from ${when} the work to a work order`,
    access: change,
    files,
    body: z.object({ companyId, orderId: rowIdBesideFile('Choose a work order.') }),
    response: uploadedFile,
  })
export const addPhotoBefore = addPhoto('before', photosBefore)
export const addPhotoAfter = addPhoto('after', photosAfter)

export const removePhoto = endpoint({
  path: 'muni/remove/work/photo',
  summary: 'Removes a photo from a work order',
  access: change,
  body: z.object({ companyId, orderId, photoId }),
  response: done,
})

export const downloadPhoto = downloadCall({
  path: 'muni/download/work/photo',
  summary: 'Downloads a photo of a work order or its source',
  access: viewAccess,
  body: z.object({ companyId, orderId, photoId }),
})

export const printOrder = downloadCall({
  path: 'muni/print/work/order',
  summary: 'Downloads a work order as PDF with a QR code',
  access: viewAccess,
  body: z.object({ companyId, orderId }),
})

export const returnOrder = endpoint({
  path: 'muni/return/work/order',
  summary: 'Returns a work order with its checklist, costs, photos and history',
  access: viewAccess,
  body: z.object({ companyId, orderId }),
  response: z.object({
    id: z.number(),
    number: z.string(),
    status: orderStates.state,
    details: orderDetails,
    department: z.string(),
    assignee: z.string(),
    /** Null if no crew is assigned. */
    crew: z.nullable(z.object({ name: z.string(), people: z.string() })),
    late: z.boolean(),
    openedAt: z.string(),
    completedAt: z.nullable(z.string()),
    schedule: z.nullable(z.object({ startsAt: z.string(), endsAt: z.string(), form: scheduleForm })),
    itemId: z.nullable(z.number()),
    /** Label of the order's source, and the path of the source's screen. */
    source: z.nullable(z.object({ text: z.string(), path: z.string() })),
    /** Further sources, such as other requests about the same problem. */
    linked: z.array(z.object({ text: z.string(), path: z.string() })),
    /** Path of the asset's screen. Null if the order names the asset only as text. */
    assetPath: z.nullable(z.string()),
    tasks: z.array(z.object({ no: z.number(), text: z.string(), doneAt: z.nullable(z.string()), doneBy: z.string() })),
    costs: z.array(
      z.object({
        no: z.number(),
        kind: costForm.shape.kind,
        text: z.string(),
        quantity: z.number(),
        unitCents: z.number(),
        cents: z.number(),
        by: z.string(),
        voided: z.boolean(),
      }),
    ),
    minutes: z.number(),
    costCents: z.number(),
    photos: z.array(z.extend(photo, { when: z.enum(['before', 'after', 'fromRequest']) })),
    history: z.array(historyEntry),
    can: z.object({
      edit: z.boolean(),
      work: z.boolean(),
      steps: z.object({ start: z.boolean(), complete: z.boolean(), reopen: z.boolean(), invalidate: z.boolean() }),
    }),
  }),
})

/**
 * Loads the figures of the dashboard card (spec 3, 4.1). Each figure equals the number of orders in the list or board
 * that the figure links to.
 */
export const orderFigures = endpoint({
  path: 'muni/return/work/figures',
  summary: 'Returns the numbers of new, in-progress, overdue, completed and open work orders',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({ new: z.int(), inProgress: z.int(), overdue: z.int(), completed: z.int(), open: z.int() }),
})

export const workChoices = endpoint({
  path: 'muni/return/work/choices',
  summary: 'Returns the departments, people and crews for work assignments',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({
    departments: z.array(z.object({ id: z.number(), name: z.string() })),
    people: z.array(z.object({ id: z.number(), name: z.string(), departmentId: z.nullable(z.number()) })),
    crews: z.array(z.object({ id: z.number(), name: z.string() })),
  }),
})

export const findWorkAssets = endpoint({
  path: 'muni/find/work/assets',
  summary: 'Finds assets of the company by name or location',
  access: { audience, privilege: ['assets', 'view'] },
  body: z.object({ companyId, search: searchLine(120).check(z.minLength(2, 'Enter at least two characters.')) }),
  response: z.object({ matches: z.array(z.object({ name: z.string(), location: z.string() })) }),
})

export const workEvents = endpoint({
  path: 'muni/live/work/orders',
  method: 'GET',
  summary: 'Streams an event for each change of a work order',
  access: { audience: 'municipality', privilege: ['work_orders', 'view'] },
  responseType: 'events',
  body: z.object({}),
  response: z.object({ topic: z.string(), id: z.number() }),
})

const { dueOn: _due, assetName: _asset, ...planned } = orderFields
export const planForm = z.object({
  ...planned,
  checklist: checklistText,
  repeats,
  startsOn: isoDate,
  startTime: timeOrNone,
  minutes,
  leadDays,
  active: z.boolean(),
})

export const returnPlan = endpoint({
  path: 'muni/return/work/plan',
  summary: 'Returns a maintenance plan',
  access: viewAccess,
  body: z.object({ companyId, planId: rowId }),
  response: z.object({ id: z.number(), form: planForm, can: z.object({ edit: z.boolean() }) }),
})

/** Saves a maintenance plan. Does not change orders that are already open. */
export const savePlan = formCall({
  path: 'muni/save/work/plan',
  summary: 'Creates or changes a maintenance plan',
  access: change,
  body: z.extend(planForm, { ...optionalFields, companyId, planId: z.nullable(rowId), basis }),
  response: z.extend(done, { planId: z.number() }),
})

export const copyPlan = copyCall('muni/copy/work/plan', 'Copies a maintenance plan that is not in use', change)

export const previewPlan = endpoint({
  path: 'muni/preview/work/plan',
  summary: 'Returns the first due days of a maintenance plan',
  access: viewAccess,
  body: z.object({ companyId, repeats, startsOn: isoDate }),
  response: z.object({ days: z.array(z.string()) }),
})

export const templateForm = z.object({
  title: orderFields.title,
  description: longText,
  kind: orderFields.kind,
  severity: orderFields.severity,
  departmentId: orderFields.departmentId,
  crewId: orderFields.crewId,
  minutes,
  parts,
  checklist: checklistText,
  active: z.boolean(),
})
export type TemplateForm = z.output<typeof templateForm>

export const returnTemplate = endpoint({
  path: 'muni/return/work/template',
  summary: 'Returns a template of work orders',
  access: viewAccess,
  body: z.object({ companyId, templateId: rowId }),
  response: z.object({ id: z.number(), form: templateForm, can: z.object({ edit: z.boolean() }) }),
})

/** Lists the templates in use with their values, for the forms of new orders and plans. */
export const templateChoices = endpoint({
  path: 'muni/return/work/template/choices',
  summary: 'Returns the templates of work orders that are in use',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({ templates: z.array(z.object({ id: z.number(), form: templateForm })) }),
})

/** Saves a template. Does not change the orders and plans that staff opened from it. */
export const saveTemplate = formCall({
  path: 'muni/save/work/template',
  summary: 'Creates or changes a template of work orders',
  access: change,
  body: z.extend(templateForm, { companyId, templateId: z.nullable(rowId), basis }),
  response: z.extend(done, { templateId: z.number() }),
})

export const copyTemplate = copyCall(
  'muni/copy/work/template',
  'Copies a template of work orders. The copy is not in use',
  change,
)

const CREW_NAME = 'Enter a crew name of 2 to 60 characters.'
const MAX_PEOPLE = 30
export const crewForm = z.object({
  name: line(60).check(z.minLength(2, CREW_NAME)),
  people: z
    .array(rowId)
    .check(
      z.minLength(1, 'Choose at least one person.'),
      z.maxLength(MAX_PEOPLE, { error: () => say`A crew can have up to ${MAX_PEOPLE} people.` }),
    ),
  active: z.boolean(),
})

export const returnCrew = endpoint({
  path: 'muni/return/work/crew',
  summary: 'Returns a crew with its people',
  access: viewAccess,
  body: z.object({ companyId, crewId: rowId }),
  response: z.object({
    id: z.number(),
    form: crewForm,
    names: z.array(z.string()),
    can: z.object({ edit: z.boolean() }),
  }),
})

/** Saves a crew. New members receive its open orders, and former members lose them. */
export const saveCrew = formCall({
  path: 'muni/save/work/crew',
  summary: 'Creates or changes a crew',
  access: change,
  body: z.extend(crewForm, { companyId, crewId: z.nullable(rowId), basis }),
  response: z.extend(done, { crewId: z.number() }),
})
