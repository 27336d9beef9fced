import { implement, signedIn } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { may } from '../../../shared/privileges.ts'
import { checkCompanyForm, refusingTakenNames } from '../../companies/server/create-company.ts'
import { safeHtml } from '../../companies/server/site-message.ts'
import { editCompany, previewMessage, returnConfig, saveConfig } from '../contract.ts'
import { sectionNames } from '../report.ts'
import { checkSection, forgetTown, saveSection } from './save-section.ts'
import { readTownConfig, stored } from './stored.ts'

export const showConfig = implement(returnConfig, async (call) => {
  const { house, company } = call
  const { privileges } = signedIn(call)
  const [config, versions] = await house.acrossCompanies(async (tx) => [
    await readTownConfig(tx, company.id),
    await newestVersions(tx, company.id),
  ])
  return {
    company: {
      ...{ id: company.id, guid: company.guid, name: config.details.name },
      url: originOf(house.config, config.details.subdomain),
    },
    config,
    versions,
    can: { update: may(privileges, 'company_setup', 'update'), seeStaff: may(privileges, 'user_management', 'view') },
  }
})

/** The number of each section's newest version. */
export async function newestVersions(tx: Tx, company: CompanyId): Promise<Record<string, number>> {
  const rows = await tx
    .selectFrom('company_config_version')
    .select((e) => ['section', e.fn.max('id').as('id')])
    .where('company_id', '=', company)
    .groupBy('section')
    .execute()
  return Object.fromEntries(rows.map(({ section, id }) => [section, Number(id)]))
}

export const saveConfigSection = implement(saveConfig, async (call) => {
  const { house, company, body } = call
  const { section, basis } = body
  const value = checkSection(section, body.values)
  const version = await refusingTakenNames(
    () => house.acrossCompanies((tx) => saveSection(tx, house, call, company.id, { section, value, basis })),
    { name: 'name', subdomain: 'subdomain' },
  )
  forgetTown(house)
  return version === null
    ? { success: true as const, message: 'Nothing had changed.', version: basis ?? 0 }
    : { success: true as const, message: `${sectionNames[section]} saved.`, version }
})

export const showPreview = implement(previewMessage, async ({ body }) => ({ html: safeHtml(body.html) }))

/** The slide-out of specification 2.14 on a town that is there: two sections in one transaction. */
export const editDetails = implement(editCompany, async (call) => {
  const { house, company, body } = call
  const name = await refusingTakenNames(() =>
    house.acrossCompanies(async (tx) => {
      const form = await checkCompanyForm(tx, body, company.id)
      const details = {
        ...(await stored.details.read(tx, company.id)),
        ...{ name: form.companyName, subdomain: form.subdomain, address1: form.address, city: form.city },
        ...{ state: form.state, zipcode: form.zip, phone_no: form.phone, website_url: form.companyWebsite },
        ...{ timezone_id: form.timeZone, is_online: form.online, use_dbilling: form.intrigratesWithBilling },
        is_managed_services: form.isManagedServices,
      }
      const day = { office_hours_open: form.officeHoursOpen, office_hours_closed: form.officeHoursClosed }
      await saveSection(tx, house, call, company.id, { section: 'details', value: details })
      await saveSection(tx, house, call, company.id, { section: 'hours', value: day })
      return form.companyName
    }),
  )
  forgetTown(house)
  return { success: true as const, message: `${name} was saved.` }
})
