import * as z from 'zod/mini'
import { done, historyEntry } from '../../shared/responses.ts'
import { basis, companyId, rowId as id } from '../../shared/body-parts.ts'
import { newEmail } from '../../shared/email.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { stepReason } from '../../shared/machine.ts'
import { locationValue } from '../../shared/places.ts'
import { viewAccess } from './list.ts'
import type { Kind } from './rules.ts'
import { registrationStates } from './states.ts'

const resident = { audience: 'citizen' } as const
const changes: Access = { ...viewAccess, privilege: ['manage_other_registrations', 'update'] }

/**
 * Form definition. `server/fields` validates it with its own schema, so the resident's browser need not load that
 * schema.
 */
const definition = z.unknown() as unknown as z.ZodMiniType<Definition>
const raw = z.record(z.string(), z.unknown())
const kind = z.literal([1, 2, 3], { error: 'Choose what you want to register.' }) as z.ZodMiniType<Kind, Kind>
const state = registrationStates.state

const WHERE = 'Choose the address.'
const requiredLocation = locationValue.check(z.refine(({ text }) => text !== '', { error: WHERE, path: [] }))
/** Address form of a registration, which comes before the questions. */
export const whereForm = z.object({ location: requiredLocation })

export const UNKNOWN_ADDRESS = 'Choose an address from the list. Only addresses on our list can be registered.'
/** Address form of a company that accepts only addresses from its list. */
export const listedWhereForm = z.object({
  location: requiredLocation.check(
    z.refine(({ text, addressId }) => text === '' || addressId !== null, { error: UNKNOWN_ADDRESS, path: [] }),
  ),
})

const summary = {
  id,
  number: z.string(),
  kind,
  name: z.string(),
  location: z.string(),
  status: state,
  /** Deadline for the confirmation. '' before the registration is accepted. */
  confirmBy: z.string(),
}

export const myRegistrations = endpoint({
  path: 'return/registrations',
  summary: "The caller's registrations, and what they began and have not sent",
  access: resident,
  body: z.object({}),
  response: z.object({
    today: z.string(),
    registrations: z.array(
      z.object({
        ...summary,
        /** Question from staff, or the reason for a rejection. */
        text: z.string(),
        can: z.object({ confirm: z.boolean(), edit: z.boolean() }),
      }),
    ),
    drafts: z.array(kind),
  }),
})

/**
 * Open registration of the caller, of the same kind. The form warns about a second registration at the same address.
 */
const already = z.object({ id, number: z.string(), location: z.string(), addressId: z.nullable(id) })
export type ExistingRegistration = z.output<typeof already>

/** Loads the form for a new registration. The form contains the saved draft, or else data from the person's profile. */
export const newRegistration = endpoint({
  path: 'return/new/registration',
  summary: 'What is asked to register a household, a business or a rental property',
  access: resident,
  body: z.object({ kind }),
  response: z.object({
    today: z.string(),
    definition,
    version: z.int(),
    start: raw,
    location: locationValue,
    changes: z.array(z.string()),
    isDraft: z.boolean(),
    listedAddressOnly: z.boolean(),
    already: z.array(already),
  }),
})

export const saveRegistrationDraft = endpoint({
  path: 'save/registration/draft',
  summary: 'Keeps what was typed so far, so that it can be gone on with on another device',
  access: resident,
  /**
   * `before` contains the values that this device last sent or received. With them, the server keeps changes from other
   * devices.
   */
  body: z.object({ kind, version: z.int(), raw, before: z.optional(raw), location: z.optional(locationValue) }),
  /** `others` contains the labels of fields that changed on other devices since the last save. */
  response: z.object({ savedAt: z.string(), others: z.array(z.string()) }),
})

export const sendRegistration = endpoint({
  path: 'send/registration',
  summary: 'Registers a household, a business or a rental property; a household only once at an address',
  access: resident,
  idempotent: 'offered',
  body: z.object({ kind, location: requiredLocation, answers: raw }),
  response: z.extend(done, { id, number: z.string() }),
})

const snapshot = z.object({ no: z.int(), at: z.string(), before: z.string(), by: z.string() })

export const myRegistration = endpoint({
  path: 'return/registration',
  summary: 'One of the caller’s registrations: what it says, its history, and what can be done',
  access: resident,
  body: z.object({ id }),
  response: z.object({
    ...summary,
    today: z.string(),
    definition,
    answers: raw,
    /** Current version of the questions, for changes to the registration. */
    newest: z.object({ definition, version: z.int() }),
    listedAddressOnly: z.boolean(),
    where: locationValue,
    text: z.string(),
    history: z.array(historyEntry),
    snapshots: z.array(snapshot),
    offer: z.nullable(z.object({ email: z.string(), until: z.string() })),
    can: z.object({ confirm: z.boolean(), edit: z.boolean(), leave: z.boolean(), offer: z.boolean() }),
  }),
})

export const saveRegistration = formCall({
  path: 'save/registration',
  summary: 'Changes what a registration says; what it said before is kept',
  access: resident,
  body: z.object({ id, location: requiredLocation, answers: raw, basis }),
})

export const confirmRegistration = endpoint({
  path: 'confirm/registration',
  summary: 'Confirms for another year that nothing has changed',
  access: resident,
  idempotent: 'offered',
  body: z.object({ id }),
  response: done,
})

export const leaveRegistration = endpoint({
  path: 'leave/registration',
  summary: 'Ends a registration of the caller’s',
  access: resident,
  body: z.object({ id }),
  response: done,
})

export const offerForm = z.object({ email: newEmail })
export const offerRegistration = formCall({
  path: 'offer/registration',
  summary: 'Offers a business or a rental property to a new owner, who gets a link by mail',
  access: resident,
  whileImpersonating: 'refused',
  body: z.extend(offerForm, { id }),
})

export const withdrawOffer = endpoint({
  path: 'withdraw/registration/offer',
  summary: 'Takes an offer back; its link opens nothing any more',
  access: resident,
  whileImpersonating: 'refused',
  body: z.object({ id }),
  response: done,
})

const token = z
  .string()
  .check(z.regex(/^[\w-]{20,80}$/, 'This link is incomplete. Open the full link from your email.'))

export const offeredRegistration = endpoint({
  path: 'return/offered/registration',
  summary: 'What a mailed link offers',
  access: resident,
  body: z.object({ token }),
  response: z.object({ number: z.string(), kind, name: z.string(), location: z.string(), from: z.string() }),
})

export const acceptRegistration = endpoint({
  path: 'accept/registration',
  summary: 'Takes over a registration that was offered; it keeps its number',
  access: resident,
  whileImpersonating: 'refused',
  body: z.object({ token }),
  response: z.extend(done, { id }),
})

export const showRegistration = endpoint({
  path: 'muni/return/registration',
  summary: 'A registration in full, with its history and what it said before',
  access: viewAccess,
  personal: true,
  body: z.object({ companyId, id }),
  response: z.object({
    ...summary,
    today: z.string(),
    owner: z.string(),
    email: z.string(),
    definition,
    answers: raw,
    where: locationValue,
    /** Parcel at the address. Null if the company's list has none. */
    parcel: z.nullable(z.object({ number: z.string(), owner: z.string(), landUse: z.string() })),
    forResponders: z.boolean(),
    inspectBy: z.string(),
    inspection: z.nullable(z.object({ id, number: z.string(), dueOn: z.nullable(z.string()) })),
    history: z.array(historyEntry),
    snapshots: z.array(snapshot),
    can: z.object({
      steps: z.object({ verify: z.boolean(), request_info: z.boolean(), reject: z.boolean(), end: z.boolean() }),
      inspect: z.boolean(),
    }),
  }),
})

export const transitionRegistration = endpoint({
  path: 'muni/transition/registration',
  summary: 'Verifies a registration, asks for more, refuses it or ends it',
  access: changes,
  body: z.object({ companyId, id, event: registrationStates.button, reason: z.optional(stepReason) }),
  response: done,
})

export const verifyRegistrations = endpoint({
  path: 'muni/verify/registrations',
  summary: 'Verifies several registrations that wait for the town; the others stay as they are',
  access: changes,
  body: z.object({
    companyId,
    ids: z.array(id).check(z.minLength(1), z.maxLength(500, 'Verify up to 500 registrations at a time.')),
  }),
  response: z.extend(done, { verified: z.int() }),
})

export const showSnapshot = endpoint({
  path: 'muni/return/registration/snapshot',
  summary: 'What a registration said before a change, as it was',
  access: viewAccess,
  personal: true,
  body: z.object({ companyId, id, no: z.int() }),
  response: z.object({
    today: z.string(),
    at: z.string(),
    owner: z.string(),
    location: z.string(),
    definition,
    answers: raw,
  }),
})

export const registrationFields = endpoint({
  path: 'muni/return/registration/fields',
  summary: 'What is asked for a kind of registration: the draft that staff work on',
  access: viewAccess,
  body: z.object({ companyId, kind }),
  response: z.object({
    kind,
    draft: definition,
    latestVersion: z.int(),
    today: z.string(),
    can: z.object({ edit: z.boolean() }),
  }),
})

export const saveRegistrationFields = formCall({
  path: 'muni/save/registration/fields',
  summary: 'Keeps what is asked for a kind of registration as a draft',
  access: changes,
  body: z.object({ companyId, kind, definition, basis: z.optional(definition) }),
  response: z.extend(done, { definition }),
})

export const publishRegistrationFields = formCall({
  path: 'muni/publish/registration/fields',
  summary: 'Makes the drafted fields the next version',
  access: changes,
  body: z.object({ companyId, kind, definition }),
  response: z.extend(done, { version: z.int() }),
})

const months = 'Enter a number of months from 1 to 60.'
export const settingsForm = z.object({
  listedAddressOnly: z.boolean(),
  householdAtOnce: z.boolean(),
  renewAtOnce: z.boolean(),
  inspectionMonths: z.int({ error: months }).check(z.minimum(1, months), z.maximum(60, months)),
  onParcel: z.boolean(),
})

export const registrationSettings = endpoint({
  path: 'muni/return/registration/settings',
  summary: 'What the town wants of registrations',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({ settings: settingsForm, can: z.object({ edit: z.boolean() }) }),
})

export const saveRegistrationSettings = formCall({
  path: 'muni/save/registration/settings',
  summary: 'Changes what the town wants of registrations',
  access: changes,
  body: z.extend(settingsForm, { companyId, basis }),
})
