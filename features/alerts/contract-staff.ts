import * as z from 'zod/mini'
import { done, historyEntry } from '../../shared/responses.ts'
import { basis, companyId, line, rowId } from '../../shared/body-parts.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { stepReason } from '../../shared/machine.ts'
import { say } from '../../shared/messages.ts'
import { type Position, position } from '../../shared/places.ts'
import { categories, certainties, channels, deliveryStates, kinds, severities, urgencies } from './rules.ts'
import { decent } from '../../shared/decency.ts'
import { serviceNames } from './contract-settings.ts'
import { alertStates } from './states.ts'

const staff = ['municipality', 'platform'] as const
/** Zones of the company that can be selected. */
export const zones = z.array(z.object({ id: z.number(), kind: z.string(), name: z.string() }))

export const viewAccess: Access = { audience: staff, privilege: ['alerts', 'view'] }
const write: Access = { audience: staff, privilege: ['alerts', 'create'] }
const change: Access = { audience: staff, privilege: ['alerts', 'update'] }

const oneOf = <K extends string>(labels: Readonly<Record<K, string>>, error: string) =>
  z.enum(Object.keys(labels) as [K], { error })

const longText = (max: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(max, { error: () => say`Use up to ${max} characters.` }),
      z.regex(/^[^<>]*$/, 'Remove the characters < and >.'),
    )
const EVENT = 'Enter the event in a few words, such as “Boil water advisory”.'
const HEADLINE = 'Enter a headline of 5 to 160 characters.'
const alertText = z.object({ headline: line(160), description: longText(2000), instruction: longText(1000) })

const choose = (error: string) => z.string().check(z.regex(/^[1-9]\d{0,14}$/, error))
const moment = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, 'Enter a date and time.'))

const MAX_CORNERS = 2000
const TOO_FEW_CORNERS = 'Add at least three corners to each area and each hole.'
/** Drawn areas in GeoJSON form: for each area its border, then its holes. People in a hole are excluded. */
const polygons = z.array(z.array(z.array(position)).check(z.minLength(1, TOO_FEW_CORNERS))).check(
  z.maxLength(20, 'Use up to 20 areas.'),
  z.refine((areas) => areas.flat().length <= 40, 'Use up to 40 areas and holes in total.'),
  z.refine((areas) => areas.flat(2).length <= MAX_CORNERS, 'Use up to 2,000 corners in total.'),
)

/** Audience of an alert. The form sends all parts, and `kind` decides which part counts. */
export const areaForm = z
  .object({
    kind: z.enum(['everyone', 'zones', 'drawn', 'routes', 'form']),
    zoneIds: z.array(rowId).check(z.maxLength(200, 'Choose up to 200 zones.')),
    polygons,
    routes: z.array(line(20)).check(z.maxLength(200, 'Choose up to 200 routes.')),
    formTypeId: z.string(),
  })
  .check(
    z.refine(({ kind, zoneIds }) => kind !== 'zones' || zoneIds.length > 0, {
      path: ['zoneIds'],
      error: 'Choose at least one zone.',
    }),
    z.refine(
      ({ kind, polygons: areas }) =>
        kind !== 'drawn' || (areas.length > 0 && areas.flat().every((ring) => ring.length >= 3)),
      { path: ['polygons'], error: TOO_FEW_CORNERS },
    ),
    z.refine(({ kind, routes }) => kind !== 'routes' || routes.length > 0, {
      path: ['routes'],
      error: 'Choose at least one route.',
    }),
    z.refine(({ kind, formTypeId }) => kind !== 'form' || /^[1-9]\d{0,14}$/.test(formTypeId), {
      path: ['formTypeId'],
      error: 'Choose a form.',
    }),
  )
export type AreaForm = z.output<typeof areaForm>

/** Form of an alert. Times are in the company's time zone, for example `2026-11-23T18:30`. */
export const alertForm = z
  .object({
    serviceId: choose('Choose a service.'),
    event: line(60).check(z.minLength(3, EVENT)),
    category: oneOf(categories, 'Choose a category.'),
    severity: oneOf(severities, 'Choose a severity level.'),
    urgency: oneOf(urgencies, 'Choose an urgency level.'),
    certainty: oneOf(certainties, 'Choose a certainty level.'),
    en: z.extend(alertText, { headline: line(160).check(z.minLength(5, HEADLINE)) }),
    es: alertText,
    byEmail: z.boolean(),
    byText: z.boolean(),
    byCall: z.boolean(),
    onPages: z.boolean(),
    area: areaForm,
    /** Empty to send immediately. */
    sendAt: z.union([moment, z.literal('')], { error: 'Enter a date and time.' }),
    expiresAt: moment,
  })
  .check(
    z.refine(({ sendAt, expiresAt }) => sendAt === '' || sendAt < expiresAt, {
      path: ['expiresAt'],
      error: 'Enter an end time that is after the send time.',
    }),
    z.refine(
      ({ es }) => (es.headline === '' ? es.description === '' && es.instruction === '' : es.headline.length >= 5),
      {
        path: ['es', 'headline'],
        error: 'Enter a Spanish headline of 5 to 160 characters, or leave all Spanish fields empty.',
      },
    ),
    z.refine(({ byEmail, byText, byCall, onPages }) => byEmail || byText || byCall || onPages, {
      path: ['byEmail'],
      error: 'Choose at least one channel.',
    }),
  )
export type AlertForm = z.output<typeof alertForm>

/** Template of an alert. `serviceId` is empty if staff choose the service with each alert. */
export const templateForm = z.object({
  name: line(60).check(z.minLength(3, 'Enter a name of at least 3 characters.'), decent),
  serviceId: z.union([choose('Choose a service.'), z.literal('')]),
  event: line(60).check(z.minLength(3, EVENT)),
  category: oneOf(categories, 'Choose a category.'),
  severity: oneOf(severities, 'Choose a severity level.'),
  urgency: oneOf(urgencies, 'Choose an urgency level.'),
  certainty: oneOf(certainties, 'Choose a certainty level.'),
  en: z.extend(alertText, { headline: line(160).check(z.minLength(5, HEADLINE)) }),
  es: alertText,
})
export type TemplateForm = z.output<typeof templateForm>

export const saveAlertTemplate = formCall({
  path: 'muni/save/alert/template',
  summary: 'Creates or changes an alert template',
  access: change,
  body: z.extend(templateForm, { companyId, templateId: z.nullable(rowId), basis }),
  response: z.extend(done, { templateId: z.number() }),
})

export const removeAlertTemplate = formCall({
  path: 'muni/remove/alert/template',
  summary: 'Removes an alert template',
  access: change,
  body: z.object({ companyId, templateId: rowId }),
})

const ofAlert = z.object({ companyId, alertId: rowId })

const counted = z.object({
  /** Number of people in the area with an account. */
  inArea: z.int(),
  /** Number of people reached by at least one channel. */
  people: z.int(),
  email: z.int(),
  text: z.int(),
  /** Number of text messages in Spanish, included in `text`. */
  textSpanish: z.int(),
  call: z.int(),
  /** Number of people who did not choose this service. */
  unwanted: z.int(),
  /** Number of people who chose this service but have no confirmed or active channel. */
  unreachable: z.int(),
})
export type CountedAudience = z.output<typeof counted>

const tally = z.object({
  channel: oneOf(channels, ''),
  state: oneOf(deliveryStates, ''),
  count: z.int(),
})

export const showAlert = endpoint({
  path: 'muni/return/alert',
  summary: 'Returns an alert with its follow-ups and delivery results',
  access: viewAccess,
  body: ofAlert,
  response: z.object({
    form: z.unknown() as unknown as z.ZodMiniType<AlertForm>,
    number: z.string(),
    kind: oneOf(kinds, ''),
    status: alertStates.state,
    service: z.string(),
    areaText: z.string(),
    outline: z.unknown() as unknown as z.ZodMiniType<Position[][][]>,
    /** Alert that this alert follows up. Null if this is a first alert. */
    about: z.nullable(z.object({ id: z.number(), number: z.string(), headline: z.string() })),
    followUps: z.array(
      z.object({ id: z.number(), number: z.string(), kind: oneOf(kinds, ''), status: alertStates.state }),
    ),
    sentAt: z.nullable(z.string()),
    expiresAt: z.string(),
    sendAt: z.nullable(z.string()),
    people: z.int(),
    /** Text messages to phones, sent or planned, with the number of billed segments. */
    texts: z.array(z.object({ language: z.enum(['en', 'es']), body: z.string(), segments: z.int() })),
    /** Spoken text of calls, approximate length of a call in seconds, and billed minutes. */
    calls: z.array(z.object({ language: z.enum(['en', 'es']), text: z.string(), seconds: z.int(), minutes: z.int() })),
    tallies: z.array(tally),
    history: z.array(historyEntry),
    can: z.object({
      edit: z.boolean(),
      remove: z.boolean(),
      submit: z.boolean(),
      follow: z.boolean(),
      test: z.boolean(),
      approve: z.boolean(),
      return_to_author: z.boolean(),
      withdraw: z.boolean(),
    }),
    /** True if the viewer submitted the alert. Another person must approve it. */
    isOwn: z.boolean(),
    /** Reason that a draft can't be sent, as a sentence. Empty if staff can send it. */
    hindrance: z.string(),
  }),
})

export const writeAlert = formCall({
  path: 'muni/write/alert',
  summary: 'Creates a draft alert',
  access: write,
  body: z.object({ companyId, form: alertForm }),
  response: z.extend(done, { alertId: z.number() }),
})

export const saveAlert = formCall({
  path: 'muni/save/alert',
  summary: 'Saves a draft alert',
  access: change,
  body: z.extend(ofAlert, { form: alertForm, basis }),
})

export const removeAlert = formCall({
  path: 'muni/remove/alert',
  summary: 'Removes a draft alert',
  access: change,
  body: ofAlert,
})

export const countAudience = endpoint({
  path: 'muni/return/alert/audience',
  summary: 'Counts the recipients of a draft alert by channel, with a sample',
  access: viewAccess,
  personal: true,
  body: ofAlert,
  response: z.object({
    counted,
    sample: z.array(
      z.object({
        name: z.string(),
        email: z.boolean(),
        text: z.boolean(),
        call: z.boolean(),
        language: z.enum(['en', 'es']),
      }),
    ),
    /** Maximum billed units: segments of text messages and minutes of calls. */
    cost: z.object({ segments: z.int(), minutes: z.int() }),
    /** Reason that an approver is required. Empty if none is required. */
    secondPerson: z.enum(['', 'severity', 'people']),
    over: z.int(),
  }),
})

export const submitAlert = formCall({
  path: 'muni/submit/alert',
  summary: 'Submits a draft alert for sending or approval',
  access: change,
  body: z.extend(ofAlert, { people: z.int() }),
})

export const testAlert = formCall({
  path: 'muni/test/alert',
  summary: 'Sends an alert to the caller as a test',
  access: change,
  body: ofAlert,
})

export const transitionAlert = formCall({
  path: 'muni/change/alert/status',
  summary: 'Approves an alert, returns it to its author or withdraws it',
  access: change,
  body: z.extend(ofAlert, { event: alertStates.button, reason: z.optional(stepReason) }),
})

/** Form for a follow-up to an alert. It contains only the changes. Other values stay as in the first alert. */
export const followForm = z.object({
  kind: z.enum(['update', 'cancel', 'all_clear']),
  en: z.extend(alertText, { headline: line(160).check(z.minLength(5, HEADLINE)) }),
  es: alertText,
  /** For an update: the new end time of the alert. */
  expiresAt: z.union([moment, z.literal('')], { error: 'Enter a date and time.' }),
})
export type FollowForm = z.output<typeof followForm>

export const followAlert = formCall({
  path: 'muni/follow/alert',
  summary: 'Creates an update, cancellation or all-clear of an alert',
  access: change,
  body: z.extend(ofAlert, { form: followForm }),
  response: z.extend(done, { alertId: z.number() }),
})

export const alertEvents = endpoint({
  path: 'muni/live/alerts',
  method: 'GET',
  summary: 'Streams an event for each change of an alert',
  access: { audience: 'municipality', privilege: ['alerts', 'view'] },
  responseType: 'events',
  body: z.object({}),
  response: z.object({ topic: z.string(), id: z.number() }),
})

export const alertEditor = endpoint({
  path: 'muni/return/alert/editor',
  summary: 'Returns the services, zones, forms and settings for the alert editor',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({
    services: z.array(
      z.object({ id: z.number(), type: z.int(), name: z.string(), email: z.int(), text: z.int(), call: z.int() }),
    ),
    templates: z.array(z.object({ id: z.number(), form: z.unknown() as unknown as z.ZodMiniType<TemplateForm> })),
    zones,
    forms: z.array(z.object({ id: z.number(), title: z.string() })),
    /** Meter routes of the utility accounts. Each route has the number of its linked accounts. */
    routes: z.array(z.object({ name: z.string(), linked: z.int() })),
    /** Services as the configuration lists them. */
    names: serviceNames,
    canCall: z.boolean(),
    approvalOver: z.int(),
    timeZone: z.string(),
    can: z.object({ edit: z.boolean() }),
  }),
})

export const settingsForm = z.object({
  approvalOver: z.string().check(z.regex(/^\d{1,6}$/, 'Enter a number of people from 0 to 999,999, without commas.')),
})

export const saveAlertSettings = formCall({
  path: 'muni/save/alert/settings',
  summary: 'Saves the maximum number of recipients of alerts without approval',
  access: change,
  body: z.object({ companyId, ...settingsForm.shape, basis }),
})

export const saveAlertServices = formCall({
  path: 'muni/save/alert/services',
  summary: 'Saves the services that send alerts to residents',
  access: change,
  body: z.object({ companyId, ...serviceNames.shape, basis }),
})

export const repeatDelivery = formCall({
  path: 'muni/repeat/alert/delivery',
  summary: 'Resends an alert text message or call with unknown delivery',
  access: change,
  body: z.object({ companyId, deliveryId: rowId }),
})
