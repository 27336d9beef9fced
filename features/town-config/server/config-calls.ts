import { namesFor } from '../../../server/edits.ts'
import { implement, signedIn } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { Values } from '../../../shared/edits.ts'
import { may } from '../../../shared/privileges.ts'
import { say, translated } from '../../../shared/messages.ts'
import { checkCompanyForm, refusingTakenNames, safeHtml } from '../../companies/api.ts'
import { editCompany, previewMessage, returnConfig, saveConfig } from '../contract.ts'
import { labelOf, sectionNames, valueText } from '../report.ts'
import { type ConfigOf, missingToChange, pencilFields, reservedFields, type Section, sectionsFor } from '../rules.ts'
import { readerOf, refuseSection } from './access.ts'
import { namesOf } from './names.ts'
import { checkSection, forgetCompany, lockCompany, saveSection } from './save-section.ts'
import { readCompanyConfig, stored } from './stored.ts'

export const showConfig = implement(returnConfig, async (call) => {
  const { context, company } = call
  const session = signedIn(call)
  const { privileges } = session
  const reader = readerOf(session)
  const [config, versions, names] = await context.acrossCompanies(async (tx) => [
    await readCompanyConfig(tx, company.id),
    await newestVersions(tx, company.id),
    await namesOf(tx, company.id),
  ])
  const visible = sectionsFor(reader)
  const ofVisible = <T>(of: (section: Section) => T) =>
    Object.fromEntries(visible.map((section) => [section, of(section)]))
  return {
    company: {
      ...{ id: company.id, guid: company.guid, name: config.details.name },
      url: originOf(context.config, config.details.subdomain),
    },
    config: ofVisible((section) => config[section]),
    versions: Object.fromEntries(Object.entries(versions).filter(([section]) => visible.includes(section as Section))),
    sections: ofVisible((section) => ({
      mayChange: missingToChange(section, reader) === null,
      reserved: reservedFields(section, reader, config[section] as Values).map((field) => ({
        ...{ field, label: labelOf(field) },
        value: valueText(field, (config[section] as Values)[field], names),
      })),
    })),
    can: { update: may(privileges, 'settings', 'update'), seeStaff: may(privileges, 'staff', 'view') },
  }
})

/** Loads the latest version number of each section. */
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
  const { context, company, body } = call
  const { section, basis } = body
  refuseSection(signedIn(call), section)
  const value = checkSection(section, body.values)
  const version = await refusingTakenNames(
    () => context.acrossCompanies((tx) => saveSection(tx, context, call, company.id, { section, value, basis })),
    { name: 'name', subdomain: 'subdomain' },
  )
  forgetCompany(context)
  return version === null
    ? { success: true as const, message: 'No changes to save.', version: 0 }
    : { success: true as const, message: say`${translated(sectionNames[section])} saved.`, version }
})

export const showPreview = implement(previewMessage, async ({ body }) => ({ html: safeHtml(body.html) }))

const { storedNames, formName } = namesFor(pencilFields)

/** Saves the slide-out for an existing company (spec 2.14): two sections in one transaction. */
export const editDetails = implement(editCompany, async (call) => {
  const { context, company, body } = call
  const { basis: opened, ...typed } = body
  const basis = opened && storedNames(opened)
  const name = await refusingTakenNames(() =>
    context.acrossCompanies(async (tx) => {
      await lockCompany(tx, company.id)
      const form = await checkCompanyForm(tx, typed, company.id)
      const { office_hours_open, office_hours_closed, ...fields } = storedNames(form) as ConfigOf<'details'> &
        ConfigOf<'hours'>
      const details = { ...(await stored.details.read(tx, company.id)), ...fields }
      const day = { office_hours_open, office_hours_closed }
      await saveSection(tx, context, call, company.id, { section: 'details', value: details, basis, formName })
      await saveSection(tx, context, call, company.id, { section: 'hours', value: day, basis, formName })
      return form.companyName
    }),
  )
  forgetCompany(context)
  return { success: true as const, message: say`The changes to ${name} were saved.` }
})
