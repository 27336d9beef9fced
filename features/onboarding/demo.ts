import sharp from 'sharp'
import type { Demo, DemoPart } from '../../server/demo.ts'
import { companyIdFrom, type CompanyId, outsideCompanies, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { JPEG } from '../../shared/file-types.ts'
import { NEW } from '../../shared/machine.ts'
import { onboardingFiles } from './contract.ts'
import { type DocumentKind, documentKinds, type OnboardingInput, owedBy, type ProviderName } from './rules.ts'
import { type OnboardingStatus, onboardingStates } from './states.ts'

const DAY_MS = 86_400_000

/** Transition of an onboarding: event, state, days ago, and an optional reason. */
type DemoTransition = readonly [keyof typeof onboardingStates.steps, OnboardingStatus, number, string?]

interface DemoOnboarding {
  company: string
  provider: ProviderName
  steps: readonly DemoTransition[]
  providerState: OnboardingInput['providerState']
  missing?: readonly string[]
  why?: string
  takes?: true
  paid?: true
  /** Due date, in days from today. */
  dueIn?: number
  document?: { kind: DocumentKind; status: 'sent' | 'accepted' | 'replacement_needed'; reason?: string }
  tested?: true
}

/** Onboardings of the demo companies, with every state. */
const all: readonly DemoOnboarding[] = [
  {
    ...{ company: 'maplegrove', provider: 'sandbox', providerState: 'ready', takes: true, paid: true, tested: true },
    steps: [
      ['enter', 'not_started', 402],
      ['open', 'in_progress', 401],
      ['require_info', 'missing', 399],
      ['review', 'in_review', 395],
      ['pass', 'ready', 392],
    ],
  },
  {
    ...{ company: 'maplegrove', provider: 'bankfile', providerState: 'ready', takes: true, paid: true },
    document: { kind: 'bank_agreement', status: 'sent' },
    steps: [
      ['enter', 'not_started', 24],
      ['open', 'in_progress', 21],
      ['require_info', 'missing', 13],
      ['review', 'in_review', 3],
    ],
  },
  {
    ...{ company: 'harborcity', provider: 'sandbox', providerState: 'ready', takes: true, paid: true, tested: true },
    steps: [
      ['enter', 'not_started', 231],
      ['open', 'in_progress', 230],
      ['pass', 'ready', 226],
    ],
  },
  {
    ...{ company: 'harborcity', provider: 'stripe', providerState: 'missing', dueIn: 9 },
    missing: ['company.verification.document', 'external_account', 'representative.verification.document'],
    steps: [
      ['enter', 'not_started', 17],
      ['open', 'in_progress', 15],
      ['require_info', 'missing', 6],
    ],
  },
  {
    ...{ company: 'harborcity', provider: 'bankfile', providerState: 'missing', missing: ['test_file'] },
    document: {
      kind: 'bank_agreement',
      status: 'replacement_needed',
      reason: 'The last page, with the signatures, is missing.',
    },
    steps: [
      ['enter', 'not_started', 60],
      ['open', 'in_progress', 58],
      ['require_info', 'missing', 45],
      ['hold', 'held', 11, 'The bank is changing its company ID. We continue when we have the new ID.'],
    ],
  },
  { company: 'oldmill', provider: 'sandbox', providerState: '', steps: [['enter', 'not_started', 8]] },
  {
    ...{ company: 'oldmill', provider: 'stripe', providerState: 'on_hold', why: 'rejected.other' },
    steps: [
      ['enter', 'not_started', 29],
      ['open', 'in_progress', 27],
      ['review', 'in_review', 22],
      ['stop', 'on_hold', 19],
    ],
  },
  {
    ...{ company: 'oldmill', provider: 'bankfile', providerState: 'in_progress', missing: ['originator', 'test_file'] },
    steps: [
      ['enter', 'not_started', 34],
      ['open', 'in_progress', 28],
    ],
  },
]

async function addOne(tx: Tx, now: Date, company: CompanyId, demoOnboarding: DemoOnboarding): Promise<number> {
  const {
    provider,
    steps,
    providerState,
    missing = [],
    why = '',
    takes = false,
    paid = false,
    dueIn,
    document,
    tested,
  } = demoOnboarding
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const [, status, since] = steps.at(-1) as DemoTransition
  const documents = document ? [{ kind: document.kind, status: document.status }] : []
  const checkedAt = providerState === '' ? null : ago(0)
  const { id } = await tx
    .insertInto('provider_onboarding')
    .values({
      ...{ company_id: company, provider, status, provider_state: providerState, missing: [...missing], why },
      owed_by: owedBy(status, {
        provider,
        hasStarted: status !== 'not_started',
        providerState,
        missing,
        why,
        documents,
      }),
      may_charge: status !== 'held' && takes,
      ...{ takes_payments: takes, is_paid_out: paid, created_at: ago(steps[0]?.[2] ?? 0), status_at: ago(since) },
      due_at: dueIn === undefined ? null : ago(-dueIn),
      ...{ checked_at: checkedAt, next_check_at: ago(0) },
      ...(tested && { tested_at: ago(since - 1), test_passed: true, tested_by: 'The municipality’s administrator' }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  let from: string = NEW
  for (const [at, [event, to, days, reason = '']] of steps.entries()) {
    const isOurs = event === 'hold'
    await tx
      .insertInto('status_history')
      .values({
        ...{ company_id: company, machine: onboardingStates.name, subject_id: id, seq: at + 1, event, reason },
        ...{ from_state: from, to_state: to, at: ago(days), actor_id: null },
        ...{ actor_kind: isOurs ? 'platform' : 'system', actor_name: isOurs ? 'Mainstreet Support' : 'Mainstreet' },
      })
      .execute()
    from = to
  }
  return id
}

const sampleDocument = (
  title: string,
  companyName: string,
) => `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="820">
  <rect width="640" height="820" fill="#fff"/><rect x="30" y="30" width="580" height="760" fill="none" stroke="#35566e" stroke-width="4"/>
  <g font-family="serif" fill="#222" text-anchor="middle"><text x="320" y="130" font-size="26">${title}</text>
  <text x="320" y="180" font-size="20">SAMPLE, no agreement</text><text x="320" y="330" font-size="28">${companyName}</text></g></svg>`

async function addDocument(
  { db, files, clock }: Demo,
  company: CompanyId,
  companyName: string,
  id: number,
  onboarding: DemoOnboarding,
) {
  const { document } = onboarding
  if (!document) return
  const image = await sharp(Buffer.from(sampleDocument(documentKinds[document.kind].slice(0, 40), companyName)))
    .jpeg({ quality: 60 })
    .toBuffer()
  const preview = await sharp(image).resize(180).jpeg({ quality: 60 }).toBuffer()
  const { path, bytes, sha256 } = await files.write(company, image)
  const [, , since] = onboarding.steps.at(-1) as DemoTransition
  const sent = new Date(clock.now().getTime() - since * DAY_MS)
  await tenancyOn(db.app)(company, async (tx) => {
    const { id: made } = await tx
      .insertInto('onboarding_document')
      .values({
        ...{ company_id: company, onboarding_id: id, kind: document.kind, status: document.status, created_at: sent },
        reason: document.reason ?? '',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('attachment')
      .values({
        ...{ company_id: company, kind: onboardingFiles.kind, subject_kind: onboardingFiles.subject },
        ...{ subject_id: made, nth: 1, name: 'agreement.jpg', content_type: JPEG, bytes, sha256, path, preview },
        ...{ state: 'clean', created_at: sent, created_by_kind: 'municipality', scanned_at: sent },
      })
      .execute()
    const events = [
      ['send', NEW, 'sent'],
      ...(document.status === 'replacement_needed' ? [['request_replacement', 'sent', 'replacement_needed']] : []),
    ]
    for (const [at, [event = '', from = '', to = '']] of events.entries())
      await tx
        .insertInto('status_history')
        .values({
          ...{ company_id: company, machine: 'onboarding_document', subject_id: made, seq: at + 1, event, at: sent },
          ...{ from_state: from, to_state: to, reason: at === 0 ? '' : (document.reason ?? ''), actor_id: null },
          ...{
            actor_kind: at === 0 ? 'municipality' : 'platform',
            actor_name: at === 0 ? 'The office' : 'Mainstreet Support',
          },
        })
        .execute()
  })
}

export const demo: DemoPart = {
  after: async (its) => {
    const { db, clock } = its
    const companies = await outsideCompanies(db.platform)((tx) =>
      tx.selectFrom('company').select(['id', 'subdomain', 'name']).execute(),
    )
    for (const demoOnboarding of all) {
      const companyRow = companies.find(({ subdomain }) => subdomain === demoOnboarding.company)
      if (!companyRow) continue
      const company = companyIdFrom('platform', companyRow.id)
      const id = await outsideCompanies(db.platform)((tx) => addOne(tx, clock.now(), company, demoOnboarding))
      await addDocument(its, company, companyRow.name, id, demoOnboarding)
    }
  },
}
