import { type Call, implement, signedIn } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { conflict, Refusal } from '../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { loadHistories, transition, actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import {
  ProviderRefused,
  ProviderSilent,
  findProvider,
  secondOf,
  openAccountWith,
  settingsOf,
} from '../../payments/api.ts'
import {
  addOnboarding,
  checkProvider,
  startProviderPage,
  transitionOnboarding,
  oneOnboarding,
  companyOnboardings,
} from '../contract.ts'
import { listPath, missingDocuments, neededDocuments, ONBOARDING, owedBy, statusOf } from '../rules.ts'
import { documentStates, onboardingStates } from '../states.ts'
import { documentsOf } from './documents.ts'
import { learn } from './learn.ts'
import { notifyCompany } from './emails.ts'
import { enter, lockedOnboarding, onboardingStateStore, mayCharge } from './onboardings.ts'
import {
  accountOf,
  findOnboarding,
  loadOnboardingInput,
  lockOnboarding,
  type Onboarding,
  providerName,
} from './rows.ts'

type OneOnboardingResponse = ResponseOf<typeof oneOnboarding>

/**
 * Limits each company's links to the provider's page. The links expire, so a company may need several of them, but not
 * many.
 */
const perCompany = defineLimit('onboarding-page', { max: 20 })
const providerChecks = defineLimit('onboarding-check', { max: 20 })

/** Builds the responses about onboardings for staff. Only platform staff can change states. */
async function viewsOf(tx: Tx, call: Call, rows: readonly Onboarding[]): Promise<OneOnboardingResponse[]> {
  const { company, context } = call
  const { kind, privileges } = signedIn(call)
  const isOurs = kind === 'platform'
  const mayChange = may(privileges, 'settings', 'update')
  const ids = rows.map(({ id }) => id)
  const [documents, histories, { provider: chosen }, second] = await Promise.all([
    documentsOf(tx, company.id, ids),
    loadHistories(tx, onboardingStates, company.id, ids),
    settingsOf(tx, company.id),
    secondOf(tx, company.id),
  ])
  const mover = { as: 'staff' as const, privileges: isOurs ? privileges : {} }
  return Promise.all(
    rows.map(async (row): Promise<OneOnboardingResponse> => {
      const input = await loadOnboardingInput(tx, row)
      const provider = findProvider(context.config, row.provider)
      const history = histories.get(row.id) ?? []
      return {
        id: row.id,
        company: company.name,
        provider: row.provider,
        providerName: providerName(row.provider),
        isChosen: row.provider === chosen,
        isSecond: row.provider === second,
        isConnected: provider !== null,
        hasPage: provider?.onboarding !== undefined,
        isTest: provider?.test ?? false,
        status: row.status,
        owedBy: row.owed_by,
        mayCharge: row.may_charge,
        takesPayments: row.takes_payments,
        isPaidOut: row.is_paid_out,
        missing: row.missing,
        dueAt: row.due_at?.toISOString() ?? null,
        why: row.status === 'held' ? (history.at(-1)?.reason ?? '') : row.why,
        since: row.status_at.toISOString(),
        checkedAt: row.checked_at?.toISOString() ?? null,
        test:
          row.tested_at === null
            ? null
            : { at: row.tested_at.toISOString(), passed: row.test_passed === true, by: row.tested_by },
        documents: documents
          .filter(({ onboarding_id }) => onboarding_id === row.id)
          .map(({ id, kind: its, status, reason, created_at, name }) => ({
            ...{ id, kind: its, status, reason, name, sentAt: created_at.toISOString() },
            can: buttonsFrom(documentStates, status, mover),
          })),
        neededDocuments: [...neededDocuments(row.provider)],
        missingDocuments: missingDocuments(input),
        history,
        can: {
          steps: buttonsFrom(onboardingStates, row.status, mover),
          goOn: mayChange && row.status !== 'held' && provider?.onboarding !== undefined,
          send: mayChange,
          requestStatus: provider?.onboarding !== undefined && input.hasStarted,
          second:
            mayChange &&
            row.provider !== chosen &&
            (row.provider === second || (row.status === 'ready' && row.may_charge && provider !== null)),
        },
      }
    }),
  )
}

const companyOnboardingsCall = implement(companyOnboardings, async (call) => {
  const { company, context } = call
  // If the company has chosen a new provider, this call creates the onboarding with that provider.
  await call.inCompany(async (tx) => enter(tx, context, company.id, (await settingsOf(tx, company.id)).provider))
  return call.reading(async (tx) => {
    const { provider: chosen } = await settingsOf(tx, company.id)
    const rows = await tx
      .selectFrom('provider_onboarding')
      .selectAll()
      .where('company_id', '=', company.id)
      .orderBy('id')
      .execute()
    const first = rows.toSorted((a, b) => Number(b.provider === chosen) - Number(a.provider === chosen))
    return { onboardings: await viewsOf(tx, call, first) }
  })
})

const oneOnboardingCall = implement(oneOnboarding, (call) =>
  call.reading(async (tx) => {
    const row = await findOnboarding(tx, call.company.id, call.body.id)
    const [view] = await viewsOf(tx, call, [row])
    return view as OneOnboardingResponse
  }),
)

const UNREACHABLE = 'The payment provider cannot be reached at the moment. Please try again in a few minutes.'

async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderSilent || error instanceof ProviderRefused)) throw error
    throw new Refusal(503, 'provider_unreachable', UNREACHABLE)
  }
}

/** Returns the row and its provider. @throws 404, 409 if the portal is not connected to the provider */
async function withPage(call: Call, id: number) {
  const { company, context } = call
  const [row, account] = await call.reading(async (tx) => {
    const onboarding = await findOnboarding(tx, company.id, id)
    return [onboarding, await accountOf(tx, onboarding)] as const
  })
  const provider = findProvider(context.config, row.provider)
  if (!provider?.onboarding)
    throw conflict(
      'not_connected',
      say`This portal is not connected to ${providerName(row.provider)} yet. The portal operator must set up the connection.`,
    )
  return { row, account, provider, onboarding: provider.onboarding }
}

/**
 * Returns the two URLs to which the provider's page redirects. The second URL is for an expired page and requests a new
 * link.
 */
function returnUrls(call: Call, { id, provider }: Onboarding) {
  const isOurs = signedIn(call).kind === 'platform'
  const page = isOurs
    ? `${originOf(call.context.config, 'admin')}${listPath(provider)}?onboarding=${call.company.id}.${id}`
    : `${originOf(call.context.config, call.company.subdomain)}${ONBOARDING}?onboarding=${id}`
  return [`${page}&from=return`, `${page}&from=refresh`] as const
}

const startProviderPageCall = implement(startProviderPage, async (call) => {
  const { company, context, body } = call
  await countAttempt(context, [perCompany(String(company.id))])
  const { row, account, provider, onboarding } = await withPage(call, body.id)
  if (row.status === 'held')
    throw conflict('wrong_status', say`The platform has put the onboarding with ${providerName(row.provider)} on hold.`)
  const opened = account ?? (await reached(() => openAccountWith(context, company, provider, true)))
  const [returnUrl, refresh] = returnUrls(call, row)
  const url = await reached(() => onboarding.link(opened, returnUrl, refresh))
  await call.inCompany((tx) =>
    call.audit(tx, {
      action: 'onboarding.visited',
      subject: { kind: 'provider_onboarding', id: row.id },
      detail: { provider: row.provider },
    }),
  )
  // Reads the status of the account that was just created.
  if (account === null) await reached(() => learn(context, company.id, provider))
  return { success: true as const, message: say`The link to the provider’s page will expire in a few minutes.`, url }
})

const checkProviderCall = implement(checkProvider, async (call) => {
  const { company, context, body } = call
  await countAttempt(context, [providerChecks(String(company.id))])
  const { row, provider } = await withPage(call, body.id)
  await reached(() => learn(context, company.id, provider))
  const now = await call.reading((tx) => findOnboarding(tx, company.id, row.id))
  return { success: true as const, message: stateMessage(now) }
})

const stateMessage = ({ provider, status }: Onboarding): string =>
  status === 'ready'
    ? say`${providerName(provider)} accepts payments and pays them out.`
    : say`The status from ${providerName(provider)} was updated.`

/** While an onboarding is on hold, no new payments start. After the hold, the provider's latest status applies. */
const transitionOnboardingCall = implement(transitionOnboarding, (call) =>
  call.inCompany(async (tx) => {
    const { company, context, body } = call
    const { event, reason = '' } = body
    const row = await lockOnboarding(tx, company.id, body.id)
    const input = await loadOnboardingInput(tx, row)
    const to = event === 'hold' ? ('held' as const) : statusOf(input)
    const patch = { owed_by: owedBy(to, input), may_charge: mayCharge(context, row, to) }
    const request = {
      scope: company.id as CompanyId,
      id: row.id,
      locked: lockedOnboarding(row),
      event,
      to,
      actor: actorOf(call),
    }
    const { message } = await transition(tx, onboardingStateStore, { ...request, reason, patch })
    await notifyCompany(tx, context, { ...row, status: to, ...patch }, { reason, resumed: event === 'resume' })
    return { success: true as const, message }
  }),
)

const addOnboardingCall = implement(addOnboarding, (call) =>
  call.inCompany(async (tx) => {
    const { company, context, body } = call
    const row = await enter(tx, context, company.id, body.provider)
    if (!row)
      throw conflict('is_entered', say`${company.name} already has an onboarding with ${providerName(body.provider)}.`)
    return {
      success: true as const,
      message: say`Onboarding for ${company.name} with ${providerName(body.provider)} was added.`,
    }
  }),
)

export const onboardingCalls = [
  ...[companyOnboardingsCall, oneOnboardingCall, startProviderPageCall, checkProviderCall],
  ...[transitionOnboardingCall, addOnboardingCall],
]
