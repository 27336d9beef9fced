import * as z from 'zod/mini'
import { companyId } from '../../shared/body-parts.ts'
import { endpoint, formCall } from '../../shared/endpoint.ts'
import { type SetupState, setupStates } from '../../shared/setup.ts'
import { required } from '../companies/rules.ts'

const setupStep = z.object({
  key: z.string(),
  title: z.string(),
  isRequired: z.boolean(),
  state: z.enum(Object.keys(setupStates) as [SetupState, ...SetupState[]]),
  /** Facts behind the state: “3 of 5 categories are ready.” */
  detail: z.string(),
  /** Path of the screen for the step. Null if the caller may not open it. */
  path: z.nullable(z.string()),
  /** Path of the starter packs if they have items for the open step. Null otherwise, and if the caller may not open them. */
  packsPath: z.nullable(z.string()),
  /** Choices that complete the step, with the labels of their buttons. */
  choices: z.array(z.object({ key: z.string(), label: z.string() })),
  /** Choice that is stored. */
  chosen: z.nullable(z.string()),
})
export type SetupStepView = z.output<typeof setupStep>

const access = (permission: 'view' | 'update' | 'delete') =>
  ({ audience: ['municipality', 'platform'], privilege: ['settings', permission] }) as const

/** Returns the steps of Get Started with their states, for the municipality and for the platform. */
export const returnSetup = endpoint({
  path: 'muni/return/setup',
  summary: 'Returns the steps of setting up the municipality with their states',
  access: access('view'),
  body: z.object({ companyId }),
  response: z.object({
    steps: z.array(setupStep),
    /** A required step weighs twice as much as a recommended one. */
    percent: z.int(),
    isOnline: z.boolean(),
    /** True if staff hid the card on Home. */
    isHidden: z.boolean(),
    /** True if the caller may turn the portal online and offline. */
    mayGoOnline: z.boolean(),
    /** True if only the platform turns the portal online and offline. */
    isReserved: z.boolean(),
  }),
})

/** Stores or removes a choice for a step, or for the card itself (`card`, `hidden`). */
export const saveSetupChoice = formCall({
  path: 'muni/save/setup/choice',
  summary: 'Saves a choice for a step of setting up the municipality',
  access: access('update'),
  body: z.object({
    companyId,
    step: z.string().check(z.maxLength(40)),
    choice: z.nullable(z.string().check(z.maxLength(40))),
  }),
})

/**
 * Turns the portal online for residents.
 * @throws 409 with the open required steps
 */
export const goOnline = formCall({
  path: 'muni/go/online',
  summary: 'Turns the portal online for residents',
  access: access('delete'),
  body: z.object({ companyId }),
})

export const offlineForm = z.object({
  message: required('Enter the message that residents see while the portal is offline.', 500),
})

/** Turns the portal offline. Residents see the message. */
export const goOffline = formCall({
  path: 'muni/go/offline',
  summary: 'Turns the portal offline for residents',
  access: access('delete'),
  body: z.extend(offlineForm, { companyId }),
})
