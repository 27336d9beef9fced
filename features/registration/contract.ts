import * as z from 'zod/mini'
import { done, historyEntry } from '../../shared/responses.ts'
import { basis, companyId, rowId as id } from '../../shared/body-parts.ts'
import { newEmail } from '../../shared/email.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { stepReason } from '../../shared/machine.ts'
import { locationValue, typedLocation } from '../../shared/places.ts'
import { viewAccess } from './list.ts'
import type { Kind } from './rules.ts'
import { registrationStates } from './states.ts'

const resident = { audience: 'citizen' } as const
const changes: Access = { ...viewAccess, privilege: ['registration', 'update'] }

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
  /** Number in the system that the registration was imported from. Empty for other registrations. */
  oldNumber: z.string(),
  kind,
  name: z.string(),
  location: z.string(),
  status: state,
  /** Deadline for the confirmation. '' before the registration is accepted. */
  confirmBy: z.string(),
}

export const myRegistrations = endpoint({
  path: 'return/registrations',
  summary: "Returns the caller's registrations and drafts",
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

/**
 * Loads the form for a new registration. The form is prefilled with the saved draft. Without a draft, it is prefilled
 * from the person's profile.
 */
export const newRegistration = endpoint({
  path: 'return/new/registration',
  summary: 'Returns the form for a new registration',
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
  summary: 'Saves a registration draft',
  access: resident,
  /**
   * `before` contains the values that this device last sent or received. The server compares them, so that it does not
   * overwrite changes from other devices.
   */
  body: z.object({ kind, version: z.int(), raw, before: z.optional(raw), location: z.optional(typedLocation) }),
  /** `others` contains the labels of fields that changed on other devices since the last save. */
  response: z.object({ savedAt: z.string(), others: z.array(z.string()) }),
})

export const sendRegistration = endpoint({
  path: 'send/registration',
  summary: 'Registers a household, a business or a rental property',
  access: resident,
  idempotent: 'offered',
  body: z.object({ kind, location: requiredLocation, answers: raw }),
  response: z.extend(done, { id, number: z.string() }),
})

const snapshot = z.object({ no: z.int(), at: z.string(), before: z.string(), by: z.string() })

export const myRegistration = endpoint({
  path: 'return/registration',
  summary: "Returns one of the caller's registrations with its history",
  access: resident,
  body: z.object({ id }),
  response: z.object({
    ...summary,
    today: z.string(),
    definition,
    answers: raw,
    /** Current version of the questions. The owner answers this version to change the registration. */
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
  summary: 'Saves a registration of the caller and keeps the earlier version',
  access: resident,
  body: z.object({ id, location: requiredLocation, answers: raw, basis }),
})

export const confirmRegistration = endpoint({
  path: 'confirm/registration',
  summary: 'Confirms a registration for another year without changes',
  access: resident,
  idempotent: 'offered',
  body: z.object({ id }),
  response: done,
})

export const leaveRegistration = endpoint({
  path: 'leave/registration',
  summary: 'Ends a registration of the caller',
  access: resident,
  body: z.object({ id }),
  response: done,
})

export const offerForm = z.object({ email: newEmail })
export const offerRegistration = formCall({
  path: 'offer/registration',
  summary: 'Offers a registration to a new owner by emailed link',
  access: resident,
  whileImpersonating: 'refused',
  body: z.extend(offerForm, { id }),
})

export const withdrawOffer = endpoint({
  path: 'withdraw/registration/offer',
  summary: 'Withdraws the offer of a registration and its link',
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
  summary: 'Returns an offered registration by emailed link',
  access: resident,
  body: z.object({ token }),
  response: z.object({ number: z.string(), kind, name: z.string(), location: z.string(), from: z.string() }),
})

export const acceptRegistration = endpoint({
  path: 'accept/registration',
  summary: 'Accepts the transfer of an offered registration',
  access: resident,
  whileImpersonating: 'refused',
  body: z.object({ token }),
  response: z.extend(done, { id }),
})

export const showRegistration = endpoint({
  path: 'muni/return/registration',
  summary: 'Returns a registration with its history and earlier versions',
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
    /** Parcel at the address. Null if the company's list has no parcel there. */
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
  summary: 'Verifies, rejects or ends a registration, or requests more information',
  access: changes,
  body: z.object({ companyId, id, event: registrationStates.button, reason: z.optional(stepReason) }),
  response: done,
})

export const verifyRegistrations = endpoint({
  path: 'muni/verify/registrations',
  summary: 'Verifies several pending registrations',
  access: changes,
  body: z.object({
    companyId,
    ids: z.array(id).check(z.minLength(1), z.maxLength(500, 'Verify up to 500 registrations at a time.')),
  }),
  response: z.extend(done, { verified: z.int() }),
})

export const showSnapshot = endpoint({
  path: 'muni/return/registration/snapshot',
  summary: 'Returns an earlier version of a registration',
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
  summary: 'Returns the draft fields of a registration kind',
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
  summary: 'Saves the draft fields of a registration kind',
  access: changes,
  body: z.object({ companyId, kind, definition, basis: z.optional(definition) }),
  response: z.extend(done, { definition }),
})

export const publishRegistrationFields = formCall({
  path: 'muni/publish/registration/fields',
  summary: 'Publishes the draft fields of a registration kind as a version',
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
  summary: 'Returns the settings for registrations',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({ settings: settingsForm, can: z.object({ edit: z.boolean() }) }),
})

export const saveRegistrationSettings = formCall({
  path: 'muni/save/registration/settings',
  summary: 'Saves the settings for registrations',
  access: changes,
  body: z.extend(settingsForm, { companyId, basis }),
})
