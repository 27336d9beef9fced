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
import { say } from '../../../shared/words.ts'
import { findProvider } from '../../payments/server/providers.ts'
import { owedBy, statusOf } from '../rules.ts'
import { type OnboardingStatus, onboardingStates } from '../states.ts'
import { tellTown } from './emails.ts'
import { accountOf, knownOf, lockOnboarding, type Onboarding, providerName } from './rows.ts'

interface HeldOnboarding extends LockedEntity<OnboardingStatus> {
  row: Onboarding
}
export const heldOnboarding = (row: Onboarding): HeldOnboarding => ({
  id: row.id,
  state: row.status,
  name: say`The onboarding with ${providerName(row.provider)}`,
  told: { provider: row.provider },
  row,
})

type OnboardingPatch = Pick<Updateable<Schema['provider_onboarding']>, 'owed_by' | 'may_charge'>

export const keptOnboardings = defineStateStore({
  machine: onboardingStates,
  subject: 'provider_onboarding',
  lock: async (tx, place, id) => heldOnboarding(await lockOnboarding(tx, place as CompanyId, id)),
  write: (
    tx,
    {
      place,
      held,
      to,
      at,
      facts,
    }: Transition<OnboardingStatus, EventOf<typeof onboardingStates>, HeldOnboarding, OnboardingPatch>,
  ) => changeRow(tx, 'provider_onboarding', place, held.id, { status: to, status_at: at, ...facts }),
})

/** Nobody asked for it but the provider, or a job. */
export const system = ({ clock }: Pick<AppContext, 'clock'>): TransitionActor => ({
  as: 'system',
  actor: { session: null, requestId: '', kind: 'system' },
  clock,
})

/** The event that leads to a state. */
const events = {
  in_progress: 'open',
  missing: 'ask',
  in_review: 'review',
  ready: 'pass',
  on_hold: 'stop',
} as const

/**
 * Whether new payments are started: by the provider's own word once it was asked, and before that as its adapter has it. What
 * the platform has put on hold starts none, whatever the provider says.
 */
export function mayCharge(context: AppContext, row: Onboarding, status: OnboardingStatus): boolean {
  if (status === 'held') return false
  if (row.told_state !== '') return row.takes_payments
  if (row.status !== 'held') return row.may_charge
  return !(findProvider(context.config, row.provider)?.onboarding?.asksFirst ?? false)
}

/**
 * Brings the state of an onboarding, whose row is locked, to what is known of it by now. What the platform has put on hold
 * stays there. Tells the town of what it has to know.
 */
export async function settle(tx: Tx, context: AppContext, row: Onboarding): Promise<void> {
  const company = row.company_id as CompanyId
  const known = await knownOf(tx, row)
  const status = row.status === 'held' ? 'held' : statusOf(known)
  const facts = { owed_by: owedBy(status, known), may_charge: mayCharge(context, row, status) }
  if (status === row.status || status === 'held' || status === 'not_started') {
    if (facts.owed_by !== row.owed_by || facts.may_charge !== row.may_charge)
      await changeRow(tx, 'provider_onboarding', company, row.id, facts)
    return
  }
  const wish = {
    place: company,
    id: row.id,
    held: heldOnboarding(row),
    event: events[status],
    who: system(context),
    facts,
  }
  await transition(tx, keptOnboardings, { ...wish, detail: { missing: row.missing, why: row.why } })
  await tellTown(tx, context, { ...row, status })
}

/** Enters a town for a provider, once. @returns its row where it is new */
export async function enter(
  tx: Tx,
  context: AppContext,
  company: CompanyId,
  provider: string,
): Promise<Onboarding | null> {
  const now = context.clock.now()
  const asksFirst = findProvider(context.config, provider)?.onboarding?.asksFirst ?? false
  const hasPaid = (await accountOf(tx, { company_id: company, provider })) !== null
  const row = await tx
    .insertInto('provider_onboarding')
    .values({
      ...{ company_id: company, provider, created_at: now, status_at: now, ask_next_at: now },
      // A town that took payments by it before is not stopped until the provider says so.
      may_charge: !asksFirst || hasPaid,
    })
    .onConflict((on) => on.columns(['company_id', 'provider']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) return null
  const who = system(context)
  await recordCreation(tx, keptOnboardings, { place: company, id: row.id, event: 'enter', who, detail: { provider } })
  return row
}
