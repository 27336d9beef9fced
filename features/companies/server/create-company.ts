import { auditCompany, type Actor } from '../../../server/audit.ts'
import { implement } from '../../../server/call.ts'
import type { Clock } from '../../../server/clock.ts'
import { originOf } from '../../../server/config.ts'
import { rejected } from '../../../server/errors.ts'
import { announceCompanyChange } from '../../../server/live.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { say } from '../../../shared/messages.ts'
import * as z from 'zod/mini'
import { openLedger, openPaymentSettings } from '../../payments/api.ts'
import { checkCompanyName, checkSubdomain, createCompany, timeZones } from '../contract.ts'
import {
  companyForm,
  defaultServices,
  isReserved,
  NAME_TAKEN,
  plainName,
  SUBDOMAIN_TAKEN,
  TIMEZONE_UNKNOWN,
} from '../rules.ts'

export type CompanyForm = z.output<typeof companyForm>

/** Creates a municipality (spec 4.11): runs the checks in order, then inserts the company with its initial data. */
export const createCompanyCall = implement(createCompany, async (call) => {
  const { context, body } = call
  const { id, form } = await refusingTakenNames(() =>
    context.acrossCompanies(async (tx) => {
      const checked = await checkCompanyForm(tx, body)
      return { id: await openCompany(tx, context.clock, call, checked, context.config.paymentProvider), form: checked }
    }),
  )
  // NOTIFY makes the other processes drop their cache. This process drops its own cache now, before the notification
  // arrives.
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
 * Checks the form as typed: name, subdomain, then the fields (spec 4.11). The values of the company `except` count as
 * available.
 * @throws 422 if a field is wrong, with the first message and one for each field
 */
export async function checkCompanyForm(
  tx: Tx,
  body: Readonly<Record<string, string | number | null | undefined>>,
  except?: CompanyId,
): Promise<CompanyForm> {
  const typed = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''))
  const parsed = companyForm.safeParse(typed)
  const takenErrors = await takenNames(tx, String(typed['companyName'] ?? ''), String(typed['subdomain'] ?? ''), except)
  const errors = { ...takenErrors, ...(parsed.success ? {} : sentences(parsed.error)), ...takenErrors }
  const [first] = Object.values(errors)
  if (first !== undefined || !parsed.success) throw rejected(first ?? '', errors)
  return parsed.data
}

/** Returns the message for the first error of each field, in the form's order. */
function sentences(error: z.core.$ZodError): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const issue of error.issues) errors[issue.path.join('.')] ??= issue.message
  return errors
}

/** Creates a company, with all its initial data, in the caller's transaction. */
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
      online_reserved: form.isManagedServices,
      founded: null,
      created_at: clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const company = companyIdFrom('platform', row.id)
  await tx
    .insertInto('company_service')
    .values(defaultServices.map((service, at) => ({ ...service, company_id: company, position: at + 1 })))
    .execute()
  await openPaymentSettings(tx, company, provider)
  await openLedger(tx, company)
  await auditCompany(tx, clock, company, actor, {
    action: 'company.created',
    subject: { kind: 'company', id: company },
    detail: { subdomain: form.subdomain },
  })
  await announceCompanyChange(tx)
  return company
}

/** True if a company other than `except` already uses the value. */
const isTaken = async (tx: Tx, column: 'name' | 'subdomain', text: string, except = 0): Promise<boolean> => {
  const normalized = plainName(text).toLowerCase()
  const lower = tx.fn<string>('lower', [column])
  return (
    normalized !== '' &&
    (await tx
      .selectFrom('company')
      .select('id')
      .where(lower, '=', normalized)
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
 * Runs `work` and turns unique index errors for a taken name or subdomain into refusals. Two simultaneous requests can
 * both find a name available, but the index accepts only one. `fields` has the form's field names.
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
