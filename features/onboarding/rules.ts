import type { OnboardingStatus } from './states.ts'

/**
 * Onboarding rules that server and browser share: meanings of codes, the party that must act, and required documents.
 */

export const providers = { sandbox: 'Sandbox', stripe: 'Stripe', bankfile: 'Bank file' } as const
export type ProviderName = keyof typeof providers
export const providerNames = Object.keys(providers) as [ProviderName, ...ProviderName[]]

export const ONBOARDING = '/municipality/processor/onboarding'
export const listPath = (provider: string): string => `/admin/manage/${provider}/onboarding`

export const waitingParties = {
  company: 'The municipality',
  platform: 'The platform',
  provider: 'The provider',
  none: 'No one',
} as const
export type WaitingParty = keyof typeof waitingParties

export const documentKinds = {
  bank_agreement: 'Bank agreement for ACH files',
  board_decision: 'Council or board resolution',
  tax_form: 'Form W-9',
} as const
export type DocumentKind = keyof typeof documentKinds
export const documentNames = Object.keys(documentKinds) as [DocumentKind, ...DocumentKind[]]

/**
 * Documents that each provider requires. The platform must accept them before the company's onboarding is complete. A
 * bank accepts files only under an agreement.
 */
const needed: Readonly<Record<string, readonly DocumentKind[]>> = { bankfile: ['bank_agreement'] }
export const neededDocuments = (provider: string): readonly DocumentKind[] => needed[provider] ?? []

/** Sentences for the provider's codes. The first pattern that matches applies. */
const requirementTexts: readonly (readonly [RegExp, string])[] = [
  [/^external_account$/, 'The bank account for payouts.'],
  [/^tos_acceptance\b/, 'Acceptance of the provider’s terms of service.'],
  [
    /^business_profile\.(?:url|product_description)$/,
    'The municipality’s website address, or a description of the services that residents pay for.',
  ],
  [/^business_profile\.mcc$/, 'The type of business. Choose government services.'],
  [/^business_profile\.support_/, 'A phone number and address for payers to contact the municipality.'],
  [/^business_(?:type|profile\.name)$/, 'The municipality’s name and type of government body.'],
  [
    /^(?:company|documents)\.?(?:\w+\.)*(?:verification\.)?(?:document|company_\w+)(?:\.\w+)*$/,
    'A document that proves the municipality’s identity.',
  ],
  [/^company\.tax_id(?:_registrar)?$/, 'The municipality’s tax ID (EIN).'],
  [/^company\.name(?:_\w+)?$/, 'The municipality’s legal name, as registered with the IRS.'],
  [/^company\.address\b/, 'The municipality’s address.'],
  [/^company\.phone$/, 'The municipality’s phone number.'],
  [/^company\.(?:owners|directors|executives)_provided$/, 'Confirmation that all required people are listed.'],
  [/^company\.structure$/, 'The municipality’s name and type of government body.'],
  [
    /^(?:representative|person)\.verification\.(?:additional_)?document\b/,
    'A photo ID for the municipality’s representative.',
  ],
  [
    /^(?:representative|person)\.(?:ssn_last_4|id_number)$/,
    'The Social Security number of the municipality’s representative, or its last four digits.',
  ],
  [/^(?:representative|person)\.dob\b/, 'The date of birth of the municipality’s representative.'],
  [/^(?:representative|person)\.address\b/, 'The home address of the municipality’s representative.'],
  [/^(?:representative|person)\.(?:email|phone)$/, 'The email and phone number of the municipality’s representative.'],
  [/^(?:representative|person)\.(?:first_name|last_name)$/, 'The name of the municipality’s representative.'],
  [
    /^(?:representative|person)\.relationship\b/,
    'The job title of the municipality’s representative, such as finance director.',
  ],
  [/^person$|^(?:representative|person)(?:\.|$)/, 'More information about the municipality’s representative.'],
  [
    /^originator$/,
    'The details of the bank that receives the files: its name, its routing number and the company ID that it assigned.',
  ],
  [/^test_file$/, 'Confirmation that the bank could read the test file.'],
]
const OTHER = 'Other information that the provider requests on its page.'

/** Returns the sentence for a code. `code` is set if the portal has no sentence for it. */
export function requirementOf(code: string): { text: string; code: string | null } {
  const general = code.replace(/^person_\w+/, 'person')
  const requirement = requirementTexts.find(([pattern]) => pattern.test(general))
  return requirement ? { text: requirement[1], code: null } : { text: OTHER, code }
}

/** Returns the sentences of all codes, without duplicates. */
export function sentencesOf(codes: readonly string[]): { text: string; code: string | null }[] {
  const all = codes.map(requirementOf)
  return all.filter(({ text, code }, at) => code !== null || all.findIndex((one) => one.text === text) === at)
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^requirements\.past_due$/, 'Required information is missing and past its due date.'],
  [
    /^(?:requirements\.pending_verification|under_review)$/,
    'The provider is reviewing the information. This usually takes a few days.',
  ],
  [/^rejected\.fraud$/, 'The provider suspects fraud.'],
  [
    /^rejected\.(?:listed|terms_of_service|incomplete_verification|other)$/,
    'The provider rejected the account. The platform will ask the provider for the reason.',
  ],
  [
    /^(?:listed|action_required\.\w+)$/,
    'The provider must check the names on the account against government watch lists.',
  ],
  [/^platform_paused$/, 'The platform has paused the account.'],
]

/**
 * Returns a sentence about why the provider disabled the account. If the portal has no sentence for the reason, returns
 * the provider's own word. Empty if the account is not disabled.
 */
export const whyOf = (word: string): string => reasons.find(([pattern]) => pattern.test(word))?.[1] ?? word

/** Data that determines the state of a company's onboarding. */
export interface OnboardingInput {
  provider: string
  /** True if the onboarding has started: the company has a provider account or sent a document. */
  hasStarted: boolean
  /** Last status from the provider. Empty before the first request. */
  providerState: '' | 'in_progress' | 'missing' | 'in_review' | 'on_hold' | 'ready'
  missing: readonly string[]
  why: string
  /** Current documents. */
  documents: readonly { kind: DocumentKind; status: 'sent' | 'accepted' | 'replacement_needed' | 'replaced' }[]
}

const isThere = ({ documents }: OnboardingInput, requiredKind: DocumentKind): boolean =>
  documents.some(({ kind, status }) => kind === requiredKind && (status === 'sent' || status === 'accepted'))

/** Returns the documents that the company must still send. */
export const missingDocuments = (input: OnboardingInput): DocumentKind[] => [
  ...neededDocuments(input.provider).filter((kind) => !isThere(input, kind)),
  ...input.documents.flatMap(({ kind, status }) =>
    status === 'replacement_needed' && !neededDocuments(input.provider).includes(kind) ? [kind] : [],
  ),
]

/** Returns the status of an onboarding that the platform has not put on hold. */
export function statusOf(input: OnboardingInput): Exclude<OnboardingStatus, 'held'> {
  if (!input.hasStarted) return 'not_started'
  if (input.providerState === 'on_hold') return 'on_hold'
  if (input.providerState === '' || input.providerState === 'in_progress') return 'in_progress'
  if (input.missing.length > 0 || missingDocuments(input).length > 0) return 'missing'
  if (input.providerState === 'in_review' || input.documents.some(({ status }) => status === 'sent')) return 'in_review'
  return input.providerState === 'missing' ? 'missing' : 'ready'
}

/** Returns the party that must act next. */
export function owedBy(status: OnboardingStatus, input: OnboardingInput): WaitingParty {
  if (status === 'ready') return 'none'
  if (status === 'held') return 'platform'
  if (status === 'on_hold')
    return input.why.startsWith('rejected') || input.why === 'platform_paused' ? 'platform' : 'provider'
  if (status === 'in_review') return input.documents.some(({ status: its }) => its === 'sent') ? 'platform' : 'provider'
  return 'company'
}
