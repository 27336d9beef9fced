import type { Updateable } from 'kysely'
import { changeRow } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import type { AppContext } from '../../../server/app-context.ts'
import {
  recordCreation,
  type LockedEntity,
  defineStateStore,
  transition,
  type Transition,
  type TransitionActor,
} from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/messages.ts'
import { findProvider } from '../../payments/api.ts'
import { owedBy, statusOf } from '../rules.ts'
import { type OnboardingStatus, onboardingStates } from '../states.ts'
import { notifyCompany } from './emails.ts'
import { accountOf, loadOnboardingInput, lockOnboarding, type Onboarding, providerName } from './rows.ts'

interface LockedOnboarding extends LockedEntity<OnboardingStatus> {
  row: Onboarding
}
export const lockedOnboarding = (row: Onboarding): LockedOnboarding => ({
  id: row.id,
  state: row.status,
  name: say`The onboarding with ${providerName(row.provider)}`,
  details: { provider: row.provider },
  row,
})

type OnboardingPatch = Pick<Updateable<Schema['provider_onboarding']>, 'owed_by' | 'may_charge'>

export const onboardingStateStore = defineStateStore({
  machine: onboardingStates,
  subject: 'provider_onboarding',
  lock: async (tx, scope, id) => lockedOnboarding(await lockOnboarding(tx, scope as CompanyId, id)),
  write: (
    tx,
    {
      scope,
      locked,
      to,
      at,
      patch,
    }: Transition<OnboardingStatus, EventOf<typeof onboardingStates>, LockedOnboarding, OnboardingPatch>,
  ) => changeRow(tx, 'provider_onboarding', scope, locked.id, { status: to, status_at: at, ...patch }),
})

/** Actor of transitions that come from the provider or a job. */
export const system = ({ clock }: Pick<AppContext, 'clock'>): TransitionActor => ({
  as: 'system',
  caller: { session: null, requestId: '', kind: 'system' },
  clock,
})

/** Event that leads to each state. */
const events = {
  in_progress: 'open',
  missing: 'require_info',
  in_review: 'review',
  ready: 'pass',
  on_hold: 'stop',
} as const

/**
 * True if new payments may start. A hold by the platform always blocks them. Otherwise, the provider's status decides.
 * Before the first status request, the adapter's default decides.
 */
export function mayCharge(context: AppContext, row: Onboarding, status: OnboardingStatus): boolean {
  if (status === 'held') return false
  if (row.provider_state !== '') return row.takes_payments
  if (row.status !== 'held') return row.may_charge
  return !(findProvider(context.config, row.provider)?.onboarding?.needsConsent ?? false)
}

/**
 * Updates the state of a locked onboarding from its current data, and notifies the company of changes. A hold by the
 * platform remains.
 */
export async function refreshStatus(tx: Tx, context: AppContext, row: Onboarding): Promise<void> {
  const company = row.company_id as CompanyId
  const input = await loadOnboardingInput(tx, row)
  const status = row.status === 'held' ? 'held' : statusOf(input)
  const patch = { owed_by: owedBy(status, input), may_charge: mayCharge(context, row, status) }
  if (status === row.status || status === 'held' || status === 'not_started') {
    if (patch.owed_by !== row.owed_by || patch.may_charge !== row.may_charge)
      await changeRow(tx, 'provider_onboarding', company, row.id, patch)
    return
  }
  const request = {
    scope: company,
    id: row.id,
    locked: lockedOnboarding(row),
    event: events[status],
    actor: system(context),
    patch,
  }
  await transition(tx, onboardingStateStore, { ...request, detail: { missing: row.missing, why: row.why } })
  await notifyCompany(tx, context, { ...row, status })
}

/** Creates a company's onboarding with a provider, unless it exists. @returns the row if it is new */
export async function enter(
  tx: Tx,
  context: AppContext,
  company: CompanyId,
  provider: string,
): Promise<Onboarding | null> {
  const now = context.clock.now()
  const needsConsent = findProvider(context.config, provider)?.onboarding?.needsConsent ?? false
  const hasPaid = (await accountOf(tx, { company_id: company, provider })) !== null
  const row = await tx
    .insertInto('provider_onboarding')
    .values({
      ...{ company_id: company, provider, created_at: now, status_at: now, next_check_at: now },
      // A company that already has an account with this provider may continue to charge until the provider objects.
      may_charge: !needsConsent || hasPaid,
    })
    .onConflict((on) => on.columns(['company_id', 'provider']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) return null
  const actor = system(context)
  await recordCreation(tx, onboardingStateStore, {
    scope: company,
    id: row.id,
    event: 'enter',
    actor,
    detail: { provider },
  })
  return row
}
