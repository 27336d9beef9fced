import * as z from 'zod/mini'
import { done, historyEntry } from '../../shared/answers.ts'
import { basis, companyId, rowId as id } from '../../shared/body-parts.ts'
import { newEmail } from '../../shared/email.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { stepReason } from '../../shared/machine.ts'
import { placeValue } from '../../shared/places.ts'
import { looks } from './list.ts'
import type { Kind } from './rules.ts'
import { registrationStates } from './states.ts'

const resident = { audience: 'citizen' } as const
const changes: Access = { ...looks, privilege: ['manage_other_registrations', 'update'] }

/** What `server/fields` reads by its own schema, which is no part of what a resident's browser loads. */
const definition = z.unknown() as unknown as z.ZodMiniType<Definition>
const raw = z.record(z.string(), z.unknown())
const kind = z.literal([1, 2, 3], { error: 'Choose what to register.' }) as z.ZodMiniType<Kind, Kind>
const state = registrationStates.state

const WHERE = 'Choose the address.'
const place = placeValue.check(z.refine(({ text }) => text !== '', { error: WHERE, path: [] }))
/** Where a registration is, before anything else is asked. */
export const whereForm = z.object({ place })

export const UNKNOWN_ADDRESS = 'Choose an address of the list: the town registers only addresses that it knows.'
/** The same in a town that registers only addresses of its own list. */
export const knownWhereForm = z.object({
  place: place.check(
    z.refine(({ text, addressId }) => text === '' || addressId !== null, { error: UNKNOWN_ADDRESS, path: [] }),
  ),
})

const summary = {
  id,
  number: z.string(),
  kind,
  name: z.string(),
  place: z.string(),
  status: state,
  /** '' before it was registered. */
  confirmBy: z.string(),
}

// For residents.

export const myRegistrations = endpoint({
  path: 'return/registrations',
  summary: "The caller's registrations, and what they began and have not sent",
  access: resident,
  body: z.object({}),
  answer: z.object({
    today: z.string(),
    registrations: z.array(
      z.object({
        ...summary,
        /** What was asked, or why it was refused. */
        says: z.string(),
        can: z.object({ confirm: z.boolean(), edit: z.boolean() }),
      }),
    ),
    drafts: z.array(kind),
  }),
})

/** What the caller registered of a kind and that has not ended: the same place is hardly meant a second time. */
const already = z.object({ id, number: z.string(), place: z.string(), addressId: z.nullable(id) })
export type ExistingRegistration = z.output<typeof already>

/** What is filled in for a kind: a new one, with the draft that was begun or what is known of the person. */
export const newRegistration = endpoint({
  path: 'return/new/registration',
  summary: 'What is asked to register a household, a business or a rental property',
  access: resident,
  body: z.object({ kind }),
  answer: z.object({
    today: z.string(),
    definition,
    version: z.int(),
    start: raw,
    place: placeValue,
    changes: z.array(z.string()),
    isDraft: z.boolean(),
    knownAddressOnly: z.boolean(),
    already: z.array(already),
  }),
})

export const keepRegistrationDraft = endpoint({
  path: 'keep/registration/draft',
  summary: 'Keeps what was typed so far, so that it can be gone on with on another device',
  access: resident,
  /** `before`: what this device sent or was given before, so that what another one changed since stays. */
  body: z.object({ kind, version: z.int(), raw, before: z.optional(raw) }),
  /** `others`: labels of what another device changed since. */
  answer: z.object({ savedAt: z.string(), others: z.array(z.string()) }),
})

export const sendRegistration = endpoint({
  path: 'send/registration',
  summary: 'Registers a household, a business or a rental property; a household only once at an address',
  access: resident,
  idempotent: 'offered',
  body: z.object({ kind, place, answers: raw }),
  answer: z.extend(done, { id, number: z.string() }),
})

const snapshot = z.object({ no: z.int(), at: z.string(), before: z.string(), by: z.string() })

export const myRegistration = endpoint({
  path: 'return/registration',
  summary: 'One of the caller’s registrations: what it says, its history, and what can be done',
  access: resident,
  body: z.object({ id }),
  answer: z.object({
    ...summary,
    today: z.string(),
    definition,
    answers: raw,
    /** What is asked by now, for a change. */
    newest: z.object({ definition, version: z.int() }),
    knownAddressOnly: z.boolean(),
    where: placeValue,
    says: z.string(),
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
  body: z.object({ id, place, answers: raw, basis }),
})

export const confirmRegistration = endpoint({
  path: 'confirm/registration',
  summary: 'Confirms for another year that nothing has changed',
  access: resident,
  idempotent: 'offered',
  body: z.object({ id }),
  answer: done,
})

export const leaveRegistration = endpoint({
  path: 'leave/registration',
  summary: 'Ends a registration of the caller’s',
  access: resident,
  body: z.object({ id }),
  answer: done,
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
  answer: done,
})

const token = z.string().check(z.regex(/^[\w-]{20,80}$/, 'This link is not complete. Open it from the mail once more.'))

export const offeredRegistration = endpoint({
  path: 'return/offered/registration',
  summary: 'What a mailed link offers',
  access: resident,
  body: z.object({ token }),
  answer: z.object({ number: z.string(), kind, name: z.string(), place: z.string(), from: z.string() }),
})

export const acceptRegistration = endpoint({
  path: 'accept/registration',
  summary: 'Takes over a registration that was offered; it keeps its number',
  access: resident,
  whileImpersonating: 'refused',
  body: z.object({ token }),
  answer: z.extend(done, { id }),
})

// For staff.

export const showRegistration = endpoint({
  path: 'muni/return/registration',
  summary: 'A registration in full, with its history and what it said before',
  access: looks,
  personal: true,
  body: z.object({ companyId, id }),
  answer: z.object({
    ...summary,
    today: z.string(),
    owner: z.string(),
    email: z.string(),
    definition,
    answers: raw,
    where: placeValue,
    /** What the town's list of parcels says of the address; null where it has none. */
    parcel: z.nullable(z.object({ number: z.string(), owner: z.string(), landUse: z.string() })),
    forResponders: z.boolean(),
    inspectBy: z.string(),
    inspection: z.nullable(z.object({ id, number: z.string(), dueOn: z.nullable(z.string()) })),
    history: z.array(historyEntry),
    snapshots: z.array(snapshot),
    can: z.object({
      steps: z.object({ verify: z.boolean(), ask: z.boolean(), refuse: z.boolean(), end: z.boolean() }),
      inspect: z.boolean(),
    }),
  }),
})

export const moveRegistration = endpoint({
  path: 'muni/move/registration',
  summary: 'Verifies a registration, asks for more, refuses it or ends it',
  access: changes,
  body: z.object({ companyId, id, event: registrationStates.button, reason: z.optional(stepReason) }),
  answer: done,
})

export const verifyRegistrations = endpoint({
  path: 'muni/verify/registrations',
  summary: 'Verifies several registrations that wait for the town; the others stay as they are',
  access: changes,
  body: z.object({
    companyId,
    ids: z.array(id).check(z.minLength(1), z.maxLength(500, 'Verify at most 500 at a time.')),
  }),
  answer: z.extend(done, { verified: z.int() }),
})

export const showSnapshot = endpoint({
  path: 'muni/return/registration/snapshot',
  summary: 'What a registration said before a change, as it was',
  access: looks,
  personal: true,
  body: z.object({ companyId, id, no: z.int() }),
  answer: z.object({
    today: z.string(),
    at: z.string(),
    owner: z.string(),
    place: z.string(),
    definition,
    answers: raw,
  }),
})

export const registrationFields = endpoint({
  path: 'muni/return/registration/fields',
  summary: 'What is asked for a kind of registration: the draft that staff work on',
  access: looks,
  body: z.object({ companyId, kind }),
  answer: z.object({
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
  answer: z.extend(done, { definition }),
})

export const publishRegistrationFields = formCall({
  path: 'muni/publish/registration/fields',
  summary: 'Makes the drafted fields the next version',
  access: changes,
  body: z.object({ companyId, kind, definition }),
  answer: z.extend(done, { version: z.int() }),
})

const months = 'Enter 1 to 60 months.'
export const settingsForm = z.object({
  knownAddressOnly: z.boolean(),
  householdAtOnce: z.boolean(),
  renewAtOnce: z.boolean(),
  inspectionMonths: z.int({ error: months }).check(z.minimum(1, months), z.maximum(60, months)),
  onParcel: z.boolean(),
})

export const registrationSettings = endpoint({
  path: 'muni/return/registration/settings',
  summary: 'What the town wants of registrations',
  access: looks,
  body: z.object({ companyId }),
  answer: z.object({ settings: settingsForm, can: z.object({ edit: z.boolean() }) }),
})

export const saveRegistrationSettings = formCall({
  path: 'muni/save/registration/settings',
  summary: 'Changes what the town wants of registrations',
  access: changes,
  body: z.extend(settingsForm, { companyId, basis }),
})
