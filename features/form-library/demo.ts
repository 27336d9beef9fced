import { buffer } from 'node:stream/consumers'
import { PLATFORM } from '../../server/audit.ts'
import type { Clock } from '../../server/clock.ts'
import type { DemoPart } from '../../server/demo.ts'
import type { Files } from '../../server/files.ts'
import { outsideCompanies, type Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, midnightIn } from '../../shared/dates.ts'
import { PDF } from '../../shared/file-types.ts'
import { documentPdf, parseText } from '../companies/api.ts'
import { packForms } from '../forms/api.ts'
import { storeContent } from './server/questions.ts'
import { formFiles } from './contract.ts'
import { demoTemplates } from './demo-documents.ts'

/** Age of the first demo form in days, and days between two forms. The demo adds one form a week. */
const [FIRST_DAYS_AGO, DAYS_BETWEEN] = [120, 7]
const HOUR = 3_600_000
const ZONE = 'America/New_York'

/** Converts 'Dog License Application' to a file name: dog-license-application. */
const dashed = (title: string) => title.toLowerCase().replaceAll(/[^a-z]+/g, '-')

/** Fills the library with rendered form templates, and assigns some to the demo companies. */
async function fillLibrary(tx: Tx, clock: Clock, files: Files): Promise<void> {
  const today = dateIn(ZONE, clock.now())
  const at = (daysAgo: number) => new Date(midnightIn(ZONE, addDays(today, -daysAgo)).getTime() + 10 * HOUR)
  const keeper = await tx.selectFrom('platform_person').select('id').orderBy('role_id', 'desc').executeTakeFirst()
  const companies = await tx.selectFrom('company').select(['id', 'subdomain']).execute()
  for (const [index, template] of demoTemplates.entries()) {
    const made = at(FIRST_DAYS_AGO - index * DAYS_BETWEEN)
    const texts = [template.text, ...(template.later ? [`${template.text}\n\n${template.later}`] : [])]
    const changed = texts.length > 1 ? at(14 - index) : made
    const by = keeper?.id ?? null
    const assigned = companies.filter(({ subdomain }) => template.assignedTo.includes(subdomain))
    const { id } = await tx
      .insertInto('form_template')
      .values({
        ...{ title: template.title, description: template.description, category: template.category },
        ...{ is_active: template.inactive ? 0 : 1, current_version: texts.length },
        ...{ first_assigned_at: assigned.length > 0 ? made : null },
        ...{ created_at: made, created_by: by, changed_at: changed, changed_by: by },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [before, text] of texts.entries()) {
      const uploaded = before === 0 ? made : changed
      const day = dateIn(ZONE, uploaded)
      const pdf = await buffer(documentPdf(parseText(`# ${template.title}\n\n${text}`), null, day))
      const { path, bytes, sha256 } = await files.write(PLATFORM, pdf)
      await tx
        .insertInto('attachment')
        .values({
          company_id: PLATFORM,
          kind: formFiles.kind,
          subject_kind: formFiles.subject,
          subject_id: id,
          nth: before + 1,
          state: 'clean',
          name: `${template.file ?? dashed(template.title)}.pdf`,
          content_type: PDF,
          bytes,
          sha256,
          path,
          created_at: uploaded,
          created_by_kind: 'platform',
          created_by: by,
          scanned_at: uploaded,
        })
        .execute()
    }
    const content = packForms().find(({ key }) => key === template.questions)
    if (content) for (const at of texts.keys()) await storeContent(tx, id, at + 1, content)
    for (const { id: company } of assigned)
      await tx
        .insertInto('form_template_assignment')
        .values({ company_id: company, template_id: id, assigned_at: made, assigned_by: by })
        .execute()
  }
}

export const demo: DemoPart = {
  after: ({ db, clock, files }) => outsideCompanies(db.platform)((tx) => fillLibrary(tx, clock, files)),
}
