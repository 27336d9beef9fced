import * as z from 'zod/mini'
import { done, historyEntry } from '../../shared/responses.ts'
import { newEmail } from '../../shared/email.ts'
import { type Access, downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { defineImportedFiles, importFields, importReport } from '../../shared/imports.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { stepReason } from '../../shared/machine.ts'
import { locationValue, typedLocation } from '../../shared/places.ts'
import { say } from '../../shared/messages.ts'
import { classLabels, inspectionLabels, noteLabels, pressureFault, RESIDUAL_HIGH, STATIC_LOW } from './rules.ts'
import { hydrantStates } from './states.ts'
import { basis, companyId, line, rowId } from '../../shared/body-parts.ts'
import { orderStates } from '../work-orders/states.ts'
import { cleaned } from '../../shared/typed.ts'

const audience = 'municipality'
export const viewAccess: Access = { audience, privilege: ['hydrants', 'view'] }
const enter: Access = { audience, privilege: ['hydrants', 'create'] }
const change: Access = { audience, privilege: ['hydrants', 'update'] }
/** Access for changes to many hydrants together, and to the hydrant settings. */
const govern: Access = { audience, privilege: ['hydrants', 'delete'] }
/**
 * Access to premise notes. They reveal more about a household than hydrant data does, so they need a separate
 * privilege.
 */
export const viewNotes: Access = { audience, privilege: ['premise_notes', 'view'] }
const writeNotes: Access = { audience, privilege: ['premise_notes', 'create'] }
const changeNotes: Access = { audience, privilege: ['premise_notes', 'update'] }

const lines = (max: number) =>
  z.string().check(z.trim(), z.maxLength(max, { error: () => say`Use no more than ${max} characters.` }))
const isDay = z.refine<string>((value) => value === '' || isoDate.safeParse(value).success, {
  error: 'Choose a date from the calendar.',
})
const day = (required: string) => z.string({ error: required }).check(z.minLength(1, required), isDay)
const dayOrNone = z.string().check(isDay)
const wholeIn = (min: number, max: number) => {
  const error = () => say`Enter a whole number from ${min} to ${max}.`
  return z.int({ error }).check(z.minimum(min, { error }), z.maximum(max, { error }))
}
/**
 * Schema of a number that is typed as text: between `min` and `max`, with at most two decimals. May be empty unless
 * `needed`.
 */
const typed = (min: number, max: number, needed: boolean) =>
  z.string().check(
    z.trim(),
    z.refine((text) => (text === '' ? !needed : /^\d{1,4}(?:\.\d{1,2})?$/.test(text) && +text >= min && +text <= max), {
      error: () => say`Enter a number from ${min} to ${max}.`,
    }),
  )

export const NUMBER_INVALID =
  'Enter a hydrant number of up to 20 letters, digits, periods or hyphens. It must start with a letter or digit.'
export const hydrantNumber = z
  .string()
  .check(cleaned(), z.toUpperCase(), z.regex(/^[A-Z0-9][A-Z0-9.-]{0,19}$/, NUMBER_INVALID))

/** Form with the data of a hydrant. Numbers are text, and empty if unknown. */
export const hydrantForm = z.object({
  number: hydrantNumber,
  make: line(60),
  model: line(60),
  madeYear: typed(1850, 2100, false).check(z.regex(/^\d*$/, 'Enter a four-digit year.')),
  sizeInches: typed(1, 12, false),
  mainInches: typed(1, 96, false),
  location: locationValue,
  lastInspectedOn: dayOrNone,
  nextInspectionOn: dayOrNone,
  notes: lines(1000),
})
export type HydrantForm = z.output<typeof hydrantForm>

const serviceDetails = { service: hydrantStates.state, serviceReason: z.string(), serviceSince: z.string() }
const inspectionStatus = z.enum(Object.keys(inspectionLabels) as [keyof typeof inspectionLabels])
const flowClass = z.enum(Object.keys(classLabels) as [keyof typeof classLabels])
const outletView = z.object({ diameterInches: z.number(), coefficient: z.number(), pitotPsi: z.number() })

export const flowTestView = z.object({
  id: z.number(),
  testedOn: z.string(),
  testedBy: z.string(),
  flowedAt: z.string(),
  staticPsi: z.number(),
  residualPsi: z.number(),
  outlets: z.array(outletView),
  flowGpm: z.number(),
  availableGpm: z.number(),
  flowClass,
  notes: z.string(),
  /** Reason for voiding the test. Empty if the test is valid. */
  voidReason: z.string(),
  voidedBy: z.string(),
})

export const returnHydrant = endpoint({
  path: 'muni/return/hydrant',
  summary: 'Returns a hydrant with its flow tests and service history',
  access: viewAccess,
  body: z.object({ companyId, hydrantId: rowId }),
  response: z.object({
    id: z.number(),
    form: hydrantForm,
    status: inspectionStatus,
    ...serviceDetails,
    testedOn: z.string(),
    availableGpm: z.nullable(z.number()),
    flowClass: z.nullable(flowClass),
    /** Due date of the next test, by the company's test interval. Empty before the first test. */
    nextTestOn: z.string(),
    /** Next scheduled inspection. Null if none is scheduled. */
    scheduled: z.nullable(z.object({ id: z.number(), number: z.string(), dueOn: z.string() })),
    /** Latest work orders on the hydrant, newest first. */
    orders: z.array(z.object({ id: z.number(), number: z.string(), title: z.string(), status: orderStates.state })),
    tests: z.array(flowTestView),
    history: z.array(historyEntry),
    can: z.object({
      edit: z.boolean(),
      inspect: z.boolean(),
      test: z.boolean(),
      steps: z.record(hydrantStates.button, z.boolean()),
    }),
  }),
})

export const addHydrant = formCall({
  path: 'muni/add/hydrant',
  summary: 'Creates a hydrant',
  access: enter,
  body: z.extend(hydrantForm, { companyId }),
  response: z.extend(done, { hydrantId: z.number() }),
})

export const saveHydrant = formCall({
  path: 'muni/save/hydrant',
  summary: 'Saves the details of a hydrant',
  access: change,
  body: z.extend(hydrantForm, { companyId, hydrantId: rowId, basis }),
})

export const transitionHydrant = formCall({
  path: 'muni/transition/hydrant',
  summary: 'Changes the service status of a hydrant',
  access: change,
  body: z.object({ companyId, hydrantId: rowId, event: hydrantStates.button, reason: z.optional(stepReason) }),
})

const outletForm = z.object({
  diameterInches: typed(0.5, 12, true),
  coefficient: z.enum(['0.9', '0.8', '0.7'], 'Choose a coefficient.'),
  pitotPsi: typed(0.5, 300, true),
})
type Pressures = Record<'staticPsi' | 'residualPsi', string>
const faultAt = (field: keyof Pressures) => (typed: Pressures) =>
  pressureFault({ staticPsi: Number(typed.staticPsi), residualPsi: Number(typed.residualPsi) })?.field !== field
const pressuresFit = [
  z.refine<Pressures>(faultAt('staticPsi'), { error: STATIC_LOW, path: ['staticPsi'] }),
  z.refine<Pressures>(faultAt('residualPsi'), { error: RESIDUAL_HIGH, path: ['residualPsi'] }),
] as const

export const flowTestFields = {
  testedOn: day('Choose the test date.'),
  testedBy: line(80).check(z.minLength(1, 'Enter the name of the tester.')),
  flowedAt: line(120),
  staticPsi: typed(1, 300, true),
  residualPsi: typed(0.5, 300, true),
  outlets: z
    .array(outletForm)
    .check(z.minLength(1, 'Enter the readings of at least one outlet.'), z.maxLength(6, 'Enter up to 6 outlets.')),
  notes: lines(1000),
}
export const flowTestForm = z.object(flowTestFields).check(...pressuresFit)
export type FlowTestForm = z.input<typeof flowTestForm>

export const recordFlowTest = formCall({
  path: 'muni/record/flow/test',
  summary: 'Records a flow test and returns its calculated flow at 20 psi',
  access: change,
  body: z.object({ ...flowTestFields, companyId, hydrantId: rowId }).check(...pressuresFit),
  response: z.extend(done, { flowGpm: z.number(), availableGpm: z.number(), flowClass }),
})

export const voidFlowTest = formCall({
  path: 'muni/void/flow/test',
  summary: 'Voids a wrong flow test',
  access: change,
  whileImpersonating: 'refused',
  body: z.object({ companyId, hydrantId: rowId, testId: rowId, reason: stepReason }),
})

export const printHydrantReport = downloadCall({
  path: 'muni/print/hydrant/report',
  summary: 'Downloads a report on one or all hydrants as PDF',
  access: viewAccess,
  body: z.object({ companyId, hydrantId: z.optional(rowId) }),
})

/** Returns the hydrants for the map: those with a known location that are not retired. */
export const hydrantMap = endpoint({
  path: 'muni/return/hydrant/map',
  summary: 'Returns the hydrants for the map with their flow classes',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({
    hydrants: z.array(
      z.object({
        id: z.number(),
        number: z.string(),
        lat: z.number(),
        lon: z.number(),
        flowClass: z.nullable(flowClass),
        service: hydrantStates.state,
      }),
    ),
  }),
})

/** Returns the data that responders need on the way to an address. */
export const atAddress = endpoint({
  path: 'muni/return/responder/premise',
  summary: 'Returns the nearest hydrants and premise notes of an address',
  access: viewAccess,
  body: z.object({ companyId, location: typedLocation }),
  response: z.object({
    /** True if the coordinates of the address are known. */
    isLocated: z.boolean(),
    hydrants: z.array(
      z.object({
        id: z.number(),
        number: z.string(),
        location: z.string(),
        feet: z.number(),
        availableGpm: z.nullable(z.number()),
        flowClass: z.nullable(flowClass),
        service: hydrantStates.state,
      }),
    ),
    /** Premise notes at the address. Null if the caller may not view notes. */
    notes: z.nullable(
      z.array(z.object({ id: z.number(), kind: z.enum(['hazard', 'access', 'person']), location: z.string() })),
    ),
  }),
})

export const hydrantFile = defineImportedFiles({
  kind: 'hydrant-file',
  unnamed: 'hydrants',
  access: govern,
  unsupportedType: 'Choose a CSV, XLSX or GeoJSON file.',
})

export const importHydrants = endpoint({
  path: 'muni/import/hydrants',
  summary: 'Imports hydrants from a CSV, XLSX or GeoJSON file or previews it',
  access: govern,
  takes: 'large-file',
  files: hydrantFile,
  body: z.object({ companyId, ...importFields }),
  response: importReport,
})

export const settingsForm = z.object({
  fireEmails: z.array(newEmail).check(z.maxLength(5, 'Enter up to 5 email addresses.')),
  inspectionMonths: wholeIn(1, 60),
  flowTestYears: wholeIn(1, 20),
})
export const returnHydrantSettings = endpoint({
  path: 'muni/return/hydrant/settings',
  summary: 'Returns the hydrant test intervals and fire department email addresses',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({
    settings: z.object({ fireEmails: z.array(z.string()), inspectionMonths: z.int(), flowTestYears: z.int() }),
    can: z.object({ edit: z.boolean() }),
  }),
})
export const saveHydrantSettings = formCall({
  path: 'muni/save/hydrant/settings',
  summary: 'Saves the hydrant test intervals and fire department email addresses',
  access: govern,
  body: z.extend(settingsForm, { companyId, basis }),
})

/** Kinds of notes for responders. */
const noteKind = z.enum(Object.keys(noteLabels) as [keyof typeof noteLabels], 'Choose a subject.')
const noteFields = {
  kind: noteKind,
  location: locationValue.check(z.refine(({ text }) => text !== '', { error: 'Enter the location.', path: ['text'] })),
  text: lines(2000).check(z.minLength(3, 'Enter the information for responders.')),
  agreedBy: line(120),
  agreedOn: dayOrNone,
  agreedHow: line(120),
  confirmOn: day('Choose a confirmation date.'),
}
export const CONSENT = 'A note about a person needs consent. Enter who agreed, when, and how.'
const agreed = z.refine<{ kind: string; agreedBy: string; agreedOn: string; agreedHow: string }>(
  ({ kind, agreedBy, agreedOn, agreedHow }) =>
    kind !== 'person' || (agreedBy !== '' && agreedOn !== '' && agreedHow !== ''),
  { error: CONSENT, path: ['agreedBy'] },
)
export const noteForm = z.object(noteFields).check(agreed)
export type NoteForm = z.output<typeof noteForm>

export const writePremiseNote = formCall({
  path: 'muni/write/premise/note',
  summary: 'Creates a premise note for first responders',
  access: writeNotes,
  body: z.object({ ...noteFields, companyId }).check(agreed),
  response: z.extend(done, { noteId: z.number() }),
})
export const savePremiseNote = formCall({
  path: 'muni/save/premise/note',
  summary: 'Saves a premise note for first responders',
  access: changeNotes,
  body: z.object({ ...noteFields, companyId, noteId: rowId, basis }).check(agreed),
})

/** Returns a note with its text. Each call is logged as a view. */
export const openPremiseNote = endpoint({
  path: 'muni/open/premise/note',
  summary: 'Returns a premise note with its text and logs the view',
  access: viewNotes,
  personal: true,
  body: z.object({ companyId, noteId: rowId }),
  response: z.object({
    id: z.number(),
    form: z.object({
      kind: noteKind,
      location: locationValue,
      text: z.string(),
      agreedBy: z.string(),
      agreedOn: z.string(),
      agreedHow: z.string(),
      confirmOn: z.string(),
    }),
    writtenBy: z.string(),
    writtenAt: z.string(),
    endedAt: z.string(),
    /** People who viewed the note and when, newest first. The first entry is the current view. */
    views: z.array(z.object({ at: z.string(), by: z.string() })),
    can: z.object({ edit: z.boolean() }),
  }),
})
export const endPremiseNote = formCall({
  path: 'muni/end/premise/note',
  summary: 'Ends a premise note and erases its text',
  access: changeNotes,
  body: z.object({ companyId, noteId: rowId, reason: stepReason }),
})
