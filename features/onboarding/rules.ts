import type { OnboardingStatus } from './states.ts'

/** The rules of onboarding that both sides use: what codes mean, whose turn it is, and which papers a provider needs. */

export const providers = { sandbox: 'Sandbox', stripe: 'Stripe', bankfile: 'Bank file' } as const
export type ProviderName = keyof typeof providers
export const providerNames = Object.keys(providers) as [ProviderName, ...ProviderName[]]

export const ONBOARDING = '/municipality/processor/onboarding'
export const listPath = (provider: string): string => `/admin/manage/${provider}/onboarding`

export const owing = {
  town: 'The municipality',
  platform: 'The platform',
  provider: 'The provider',
  nobody: 'Nobody',
} as const
export type WaitingParty = keyof typeof owing

export const documentKinds = {
  bank_agreement: 'Agreement with the bank for files of the ACH network',
  board_decision: 'Decision of the council or board',
  tax_form: 'Form W-9',
} as const
export type DocumentKind = keyof typeof documentKinds
export const documentNames = Object.keys(documentKinds) as [DocumentKind, ...DocumentKind[]]

/** What we look at ourselves before a town is ready: a bank takes files of nobody without an agreement. */
const needed: Readonly<Record<string, readonly DocumentKind[]>> = { bankfile: ['bank_agreement'] }
export const neededDocuments = (provider: string): readonly DocumentKind[] => needed[provider] ?? []

/** What codes of providers ask for, in sentences. The first that fits counts. */
const asked: readonly (readonly [RegExp, string])[] = [
  [/^external_account$/, 'The bank account that payments are paid out to.'],
  [/^tos_acceptance\b/, 'Somebody has to accept the provider’s terms of service.'],
  [
    /^business_profile\.(?:url|product_description)$/,
    'The address of the municipality’s website, or what it charges for.',
  ],
  [/^business_profile\.mcc$/, 'The kind of business: choose government services.'],
  [/^business_profile\.support_/, 'How payers reach the municipality: a phone number and an address.'],
  [/^business_(?:type|profile\.name)$/, 'What kind of body the municipality is, and its name.'],
  [
    /^(?:company|documents)\.?(?:\w+\.)*(?:verification\.)?(?:document|company_\w+)(?:\.\w+)*$/,
    'A document that proves who the municipality is.',
  ],
  [/^company\.tax_id(?:_registrar)?$/, 'The municipality’s tax ID (EIN).'],
  [/^company\.name(?:_\w+)?$/, 'The municipality’s legal name, as the tax office has it.'],
  [/^company\.address\b/, 'The municipality’s address.'],
  [/^company\.phone$/, 'The municipality’s phone number.'],
  [/^company\.(?:owners|directors|executives)_provided$/, 'Whether everybody who has to be named was named.'],
  [/^company\.structure$/, 'What kind of body the municipality is, and its name.'],
  [
    /^(?:representative|person)\.verification\.(?:additional_)?document\b/,
    'A photo of the ID of whoever answers for the municipality.',
  ],
  [
    /^(?:representative|person)\.(?:ssn_last_4|id_number)$/,
    'The last digits of the Social Security number of whoever answers for the municipality.',
  ],
  [/^(?:representative|person)\.dob\b/, 'The date of birth of whoever answers for the municipality.'],
  [/^(?:representative|person)\.address\b/, 'The home address of whoever answers for the municipality.'],
  [
    /^(?:representative|person)\.(?:email|phone)$/,
    'The email and phone number of whoever answers for the municipality.',
  ],
  [/^(?:representative|person)\.(?:first_name|last_name)$/, 'The name of whoever answers for the municipality.'],
  [
    /^(?:representative|person)\.relationship\b/,
    'What whoever answers for the municipality is there, such as its finance director.',
  ],
  [/^person$|^(?:representative|person)(?:\.|$)/, 'More about whoever answers for the municipality.'],
  [
    /^originator$/,
    'The details of the bank that the files go to: its name, its routing number and the company ID that it gave.',
  ],
  [/^test_file$/, 'That the bank could read the test file.'],
]
const OTHER = 'Something else that the provider asks for on its page.'

/** What a code asks for; `code` where we have no sentence of its own for it. */
export function sentenceOf(code: string): { says: string; code: string | null } {
  const general = code.replace(/^person_\w+/, 'person')
  const known = asked.find(([pattern]) => pattern.test(general))
  return known ? { says: known[1], code: null } : { says: OTHER, code }
}

/** The same of all codes, each sentence once. */
export function sentencesOf(codes: readonly string[]): { says: string; code: string | null }[] {
  const all = codes.map(sentenceOf)
  return all.filter(({ says, code }, at) => code !== null || all.findIndex((one) => one.says === says) === at)
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^requirements\.past_due$/, 'It waited for something that is missing, and the day for it is over.'],
  [
    /^(?:requirements\.pending_verification|under_review)$/,
    'It looks at what it was told. That takes some days as a rule.',
  ],
  [/^rejected\.fraud$/, 'It suspects fraud.'],
  [
    /^rejected\.(?:listed|terms_of_service|incomplete_verification|other)$/,
    'It refused the account. The platform asks why.',
  ],
  [/^(?:listed|action_required\.\w+)$/, 'It has to compare the names with lists of the authorities.'],
  [/^platform_paused$/, 'The platform has paused the account.'],
]

/** Why a provider stopped something, in a sentence; its own word where there is none. Empty where it stopped nothing. */
export const whyOf = (word: string): string => reasons.find(([pattern]) => pattern.test(word))?.[1] ?? word

/** What is known of a town's onboarding, of which its state follows. */
export interface OnboardingInput {
  provider: string
  /** It was begun: the account is open, or a document was sent. */
  begun: boolean
  /** What the provider said last; empty before it was asked. */
  told: '' | 'in_progress' | 'missing' | 'in_review' | 'on_hold' | 'ready'
  missing: readonly string[]
  why: string
  /** The documents that count. */
  documents: readonly { kind: DocumentKind; status: 'sent' | 'accepted' | 'refused' | 'replaced' }[]
}

const isThere = ({ documents }: OnboardingInput, wanted: DocumentKind): boolean =>
  documents.some(({ kind, status }) => kind === wanted && (status === 'sent' || status === 'accepted'))

/** Documents that the town still has to send. */
export const missingDocuments = (known: OnboardingInput): DocumentKind[] => [
  ...neededDocuments(known.provider).filter((kind) => !isThere(known, kind)),
  ...known.documents.flatMap(({ kind, status }) =>
    status === 'refused' && !neededDocuments(known.provider).includes(kind) ? [kind] : [],
  ),
]

/** Where an onboarding stands that the platform has not put on hold. */
export function statusOf(known: OnboardingInput): Exclude<OnboardingStatus, 'held'> {
  if (!known.begun) return 'not_started'
  if (known.told === 'on_hold') return 'on_hold'
  if (known.told === '' || known.told === 'in_progress') return 'in_progress'
  if (known.missing.length > 0 || missingDocuments(known).length > 0) return 'missing'
  if (known.told === 'in_review' || known.documents.some(({ status }) => status === 'sent')) return 'in_review'
  return known.told === 'missing' ? 'missing' : 'ready'
}

/** Whose turn it is. */
export function owedBy(status: OnboardingStatus, known: OnboardingInput): WaitingParty {
  if (status === 'ready') return 'nobody'
  if (status === 'held') return 'platform'
  if (status === 'on_hold')
    return known.why.startsWith('rejected') || known.why === 'platform_paused' ? 'platform' : 'provider'
  if (status === 'in_review') return known.documents.some(({ status: its }) => its === 'sent') ? 'platform' : 'provider'
  return 'town'
}
