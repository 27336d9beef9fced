import { auditCompany, type Actor } from '../../../server/audit.ts'
import { implement } from '../../../server/call.ts'
import type { Clock } from '../../../server/clock.ts'
import { originOf } from '../../../server/config.ts'
import { rejected } from '../../../server/errors.ts'
import { announceCompanyChange } from '../../../server/live.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { say } from '../../../shared/words.ts'
import * as z from 'zod/mini'
import { openLedger } from '../../payments/server/ledger.ts'
import { openFees } from '../../payments/server/town-fees.ts'
import { checkCompanyName, checkSubdomain, createCompany, timeZones } from '../contract.ts'
import {
  companyForm,
  defaultServices,
  isReserved,
  modules,
  NAME_TAKEN,
  plainName,
  SUBDOMAIN_TAKEN,
  TIMEZONE_UNKNOWN,
} from '../rules.ts'

export type CompanyForm = z.output<typeof companyForm>

/** Creates a municipality (specification 4.11): the chain of checks, then everything that a town starts with. */
export const createCompanyCall = implement(createCompany, async (call) => {
  const { context, body } = call
  const { id, form } = await refusingTakenNames(() =>
    context.acrossCompanies(async (tx) => {
      const checked = await checkCompanyForm(tx, body)
      return { id: await openCompany(tx, context.clock, call, checked, context.config.paymentProvider), form: checked }
    }),
  )
  // The others hear of it by NOTIFY; this portal must not answer from its cache even before that arrives.
  context.hosts.forget()
  const { companyName, subdomain } = form
  return {
    success: true as const,
    message: say`${companyName} was created.`,
    companyId: id,
    url: originOf(context.config, subdomain),
  }
})

/**
 * The form as it was typed, through the chain of specification 4.11: name, subdomain, then the fields in their order.
 * `except`: the company that may keep what is its own.
 * @throws 422 with the first sentence, and one for each wrong field
 */
export async function checkCompanyForm(
  tx: Tx,
  body: Readonly<Record<string, string | number | null | undefined>>,
  except?: CompanyId,
): Promise<CompanyForm> {
  const typed = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''))
  const parsed = companyForm.safeParse(typed)
  const taken = await takenNames(tx, String(typed['companyName'] ?? ''), String(typed['subdomain'] ?? ''), except)
  const wrong = { ...taken, ...(parsed.success ? {} : sentences(parsed.error)), ...taken }
  const [first] = Object.values(wrong)
  if (first !== undefined || !parsed.success) throw rejected(first ?? '', wrong)
  return parsed.data
}

/** The sentence for the first wrong thing of each field, in the form's order. */
function sentences(error: z.core.$ZodError): Record<string, string> {
  const wrong: Record<string, string> = {}
  for (const issue of error.issues) wrong[issue.path.join('.')] ??= issue.message
  return wrong
}

/** Opens a town in the caller's transaction: the company and everything that belongs to it from its first day. */
export async function openCompany(
  tx: Tx,
  clock: Clock,
  actor: Actor,
  form: CompanyForm,
  provider: string,
): Promise<CompanyId> {
  const zone = await tx.selectFrom('timezone').select('id').where('id', '=', form.timeZone).executeTakeFirst()
  if (!zone) throw rejected(TIMEZONE_UNKNOWN, { timeZone: TIMEZONE_UNKNOWN })
  const row = await tx
    .insertInto('company')
    .values({
      name: form.companyName,
      subdomain: form.subdomain,
      address1: form.address,
      city: form.city,
      state: form.state,
      zipcode: form.zip,
      phone_no: nationalDigits(form.phone),
      website_url: form.companyWebsite,
      timezone_id: form.timeZone,
      office_hours_open: form.officeHoursOpen,
      office_hours_closed: form.officeHoursClosed,
      is_online: form.online,
      use_dbilling: form.intrigratesWithBilling,
      is_managed_services: form.isManagedServices,
      founded: null,
      created_at: clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const company = companyIdFrom('platform', row.id)
  await tx
    .insertInto('company_component')
    .values(modules.map((url) => ({ company_id: company, url, is_active: 1 })))
    .execute()
  await tx
    .insertInto('company_service')
    .values(defaultServices.map((service, at) => ({ ...service, company_id: company, position: at + 1 })))
    .execute()
  await tx
    .insertInto('payment_settings')
    .values({
      company_id: company,
      processor_id: (db) => db.selectFrom('processor').select('id').where('provider', '=', provider),
    })
    .execute()
  await openFees(tx, company)
  await openLedger(tx, company)
  await auditCompany(tx, clock, company, actor, {
    action: 'company.created',
    subject: { kind: 'company', id: company },
    detail: { subdomain: form.subdomain },
  })
  await announceCompanyChange(tx)
  return company
}

/** `except`: the company that may keep what is its own. */
const isTaken = async (tx: Tx, column: 'name' | 'subdomain', text: string, except = 0): Promise<boolean> => {
  const wanted = plainName(text).toLowerCase()
  const lower = tx.fn<string>('lower', [column])
  return (
    wanted !== '' &&
    (await tx
      .selectFrom('company')
      .select('id')
      .where(lower, '=', wanted)
      .where('id', '<>', except)
      .executeTakeFirst()) !== undefined
  )
}

export async function takenNames(
  tx: Tx,
  name: string,
  subdomain: string,
  except?: number,
): Promise<{ companyName?: string; subdomain?: string }> {
  return {
    ...((await isTaken(tx, 'name', name, except)) && { companyName: NAME_TAKEN }),
    ...((await isTaken(tx, 'subdomain', subdomain, except)) && { subdomain: SUBDOMAIN_TAKEN }),
  }
}

/**
 * Two who take the same name at once both find it free; the unique indexes let one of them through.
 * `fields`: what the form calls the two.
 */
export async function refusingTakenNames<T>(
  work: () => Promise<T>,
  fields = { name: 'companyName', subdomain: 'subdomain' },
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string }
    if (code === '23505' && constraint === 'company_name_once')
      throw rejected(NAME_TAKEN, { [fields.name]: NAME_TAKEN })
    if (code === '23505' && constraint === 'company_subdomain_once')
      throw rejected(SUBDOMAIN_TAKEN, { [fields.subdomain]: SUBDOMAIN_TAKEN })
    throw error
  }
}

export const isNameFree = implement(checkCompanyName, async ({ context, body }) => ({
  unique: await context.acrossCompanies(async (tx) => !(await isTaken(tx, 'name', body.companyName, body.except))),
}))

export const isSubdomainFree = implement(checkSubdomain, async ({ context, body }) => ({
  unique:
    !isReserved(body.subdomain.toLowerCase()) &&
    (await context.acrossCompanies(async (tx) => !(await isTaken(tx, 'subdomain', body.subdomain, body.except)))),
}))

export const listTimeZones = implement(timeZones, async ({ context }) => ({
  timeZones: await context.outside((tx) => tx.selectFrom('timezone').select(['id', 'label']).orderBy('id').execute()),
}))
