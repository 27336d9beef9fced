import { auditCompanyOrPlatform, type Actor } from '../../../server/audit.ts'
import { Refusal } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { lockUntilCommit } from '../../../server/named-lock.ts'
import { say } from '../../../shared/messages.ts'
import { type Method, methods } from '../../payments/rules.ts'
import {
  storedMethodsOf,
  ProviderRefused,
  ProviderSilent,
  type Setup,
  providerNamed,
  accountWith,
} from '../../payments/api.ts'
import { expiryDay } from '../rules.ts'
import { DELETE_METHOD, makeDefault } from './methods.ts'

/** Person who saves a payment method, and their consent: text, time and device. */
export interface Agreed {
  company_id: CompanyId
  person_id: number
  method: Method
  provider: string
  mandate_text: string
  mandate_at: Date
  mandate_address: string
  mandate_device: string
}

/** Outcome of a finished setup. `refused` is the reason that no method was saved. */
export type SetupResult = { success: true; message: string; id: number; actionUrl: string | null } | { refused: string }

const MAX_METHODS = 20
export const hasTooMany = (storedMethods: readonly unknown[]): boolean => storedMethods.length >= MAX_METHODS
export const tooManyMethods = () => say`You already have ${MAX_METHODS} cards and bank accounts. Remove one first.`

/**
 * Returns the message about the small deposits that confirm a bank account. They arrive days later, and the payer
 * enters them on the provider's page.
 */
export const deposits = (): string =>
  say`Two small deposits will arrive in this bank account within two business days. Confirm them to save the account.`

export const unreachable = () =>
  new Refusal(
    503,
    'provider_unreachable',
    'We cannot reach the payment provider right now. Nothing was saved. Please try again in a few minutes.',
  )

/** Saves the method of a setup, or records its refusal. */
export async function endSetup(
  tx: Tx,
  context: AppContext,
  agreed: Agreed,
  setup: Exclude<Setup, { status: 'requires_action' }>,
  actor: Actor,
): Promise<SetupResult> {
  const { company_id: company, person_id: person } = agreed
  if (setup.status === 'failed') {
    const detail = { code: setup.error.code }
    await auditCompanyOrPlatform(tx, context.clock, company, actor, {
      action: 'payment_method.refused',
      detail,
      person,
    })
    return {
      refused: say`The payment method was not saved: ${setup.error.message} Check the details, or use another payment method.`,
    }
  }
  const { stored, customer } = setup
  await lockUntilCommit(tx, 'stored_method', company, person)
  const others = (await storedMethodsOf(tx, company, person).execute()).filter(
    (one) => one.provider_method !== stored.id,
  )
  const isTooMany = hasTooMany(others)
  const isFirst = !others.some(({ unusable }) => unusable === '')
  const row = await tx
    .insertInto('stored_method')
    .values({
      ...agreed,
      provider_customer: customer,
      provider_method: stored.id,
      method_label: stored.methodLabel,
      bank_name: stored.bankName ?? '',
      expires_on: stored.expires && expiryDay(stored.expires),
      is_default: false,
      created_at: context.clock.now(),
      removed_at: isTooMany ? context.clock.now() : null,
      expiry_notified_at: null,
    })
    // This call is a retry, because the response to the first attempt was lost.
    .onConflict((on) =>
      on
        .columns(['company_id', 'person_id', 'provider_method'])
        .doUpdateSet((e) => ({ removed_at: e.ref('excluded.removed_at') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  if (isTooMany) {
    // The provider has already stored the method. A job deletes the method at the provider, as for a removed method.
    await context.jobs.enqueue(tx, DELETE_METHOD, { company, id: row.id })
    return { refused: tooManyMethods() }
  }
  if (isFirst) await makeDefault(tx, company, person, row.id)
  await auditCompanyOrPlatform(tx, context.clock, company, actor, {
    action: 'payment_method.added',
    subject: { kind: 'payment_method', id: row.id },
    detail: { methodLabel: stored.methodLabel },
    person,
  })
  return {
    success: true,
    message: say`${stored.methodLabel} was saved for your payments.`,
    id: row.id,
    actionUrl: null,
  }
}

interface PendingSetup {
  person: number
  key: string
  by: Actor
}

/** Requests the status of a pending setup from the provider and ends the setup. Null if no such setup exists. */
export async function finishSetup(
  context: AppContext,
  company: Company,
  { person, key, by }: PendingSetup,
): Promise<SetupResult | null> {
  const find = (tx: Tx) =>
    tx
      .selectFrom('method_setup')
      .selectAll()
      .where('company_id', '=', company.id)
      .where('person_id', '=', person)
      .where('setup_key', '=', key)
  // The call goes to the provider that started the setup, even if the company has changed providers.
  const pendingSetup = await context.inCompany(company.id, async (tx) => {
    const row = await find(tx).executeTakeFirst()
    return row && { ...row, account: await accountWith(tx, company.id, row.provider) }
  })
  if (!pendingSetup) return null
  let setup: Setup
  try {
    const { stored } = providerNamed(context.config, pendingSetup.provider)
    setup = await stored.getSetup(pendingSetup.account, pendingSetup.provider_setup)
  } catch (error) {
    if (!(error instanceof ProviderSilent || error instanceof ProviderRefused)) throw error
    throw unreachable()
  }
  if (setup.status === 'requires_action' && pendingSetup.method === methods.echeck)
    return { success: true, message: deposits(), id: 0, actionUrl: setup.actionUrl }
  if (setup.status === 'requires_action')
    return {
      refused: say`Your bank has not confirmed this card, so we did not save it. Enter it again, or use another card.`,
    }
  return context.inCompany(company.id, async (tx) => {
    const locked = await find(tx).forUpdate().executeTakeFirstOrThrow()
    const { setup_key: _key, provider_setup: _setup, created_at: _createdAt, finished_at, ...agreed } = locked
    const result =
      setup.status === 'succeeded' && finished_at !== null
        ? await storedResult(tx, company.id, person, setup)
        : undefined
    // The person's return and the job may happen in either order. The second changes nothing, so a removed method stays
    // removed.
    if (finished_at !== null) return result ?? { refused: say`This card was not saved. Add it again.` }
    await tx
      .updateTable('method_setup')
      .set({ finished_at: context.clock.now() })
      .where('company_id', '=', company.id)
      .where('person_id', '=', person)
      .where('setup_key', '=', key)
      .execute()
    return endSetup(tx, context, { ...agreed, company_id: companyIdFrom('job', agreed.company_id) }, setup, by)
  })
}

async function storedResult(
  tx: Tx,
  company: CompanyId,
  person: number,
  { stored }: Extract<Setup, { status: 'succeeded' }>,
): Promise<SetupResult | undefined> {
  const row = await storedMethodsOf(tx, company, person).where('provider_method', '=', stored.id).executeTakeFirst()
  return (
    row && {
      success: true,
      message: say`${row.method_label} was saved for your payments.`,
      id: row.id,
      actionUrl: null,
    }
  )
}
