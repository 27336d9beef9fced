import { buffer } from 'node:stream/consumers'
import { PLATFORM } from '../../server/audit.ts'
import type { Clock } from '../../server/clock.ts'
import type { DemoPart } from '../../server/demo.ts'
import type { Files } from '../../server/files.ts'
import { outsideCompanies, type Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, midnightIn } from '../../shared/dates.ts'
import { PDF } from '../../shared/file-types.ts'
import { documentPdf } from '../companies/server/document-pdf.ts'
import { parseText } from '../companies/server/document-text.ts'
import { formFiles } from './contract.ts'
import { papers } from './demo-papers.ts'

/** The library was filled over the last months, a form a week. */
const [FIRST_DAYS_AGO, APART] = [120, 7]
const HOUR = 3_600_000
const ZONE = 'America/New_York'

/** Fills the library with papers that were really drawn, and gives some of them to the demo towns. */
async function fillLibrary(tx: Tx, clock: Clock, files: Files): Promise<void> {
  const today = dateIn(ZONE, clock.now())
  const at = (daysAgo: number) => new Date(midnightIn(ZONE, addDays(today, -daysAgo)).getTime() + 10 * HOUR)
  const keeper = await tx.selectFrom('platform_person').select('id').orderBy('role_id', 'desc').executeTakeFirst()
  const towns = await tx.selectFrom('company').select(['id', 'subdomain']).execute()
  for (const [nth, paper] of papers.entries()) {
    const made = at(FIRST_DAYS_AGO - nth * APART)
    const texts = [paper.text, ...(paper.later ? [`${paper.text}\n\n${paper.later}`] : [])]
    const changed = texts.length > 1 ? at(14 - nth) : made
    const by = keeper?.id ?? null
    const theirs = towns.filter(({ subdomain }) => paper.towns.includes(subdomain))
    const { id } = await tx
      .insertInto('form_template')
      .values({
        ...{ title: paper.title, description: paper.description, category: paper.category },
        ...{ is_active: paper.inactive ? 0 : 1, current_version: texts.length },
        ...{ first_assigned_at: theirs.length > 0 ? made : null },
        ...{ created_at: made, created_by: by, changed_at: changed, changed_by: by },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [before, text] of texts.entries()) {
      const uploaded = before === 0 ? made : changed
      const day = dateIn(ZONE, uploaded)
      const drawn = await buffer(documentPdf(parseText(`# ${paper.title}\n\n${text}`), null, day))
      const { path, bytes, sha256 } = await files.write(PLATFORM, drawn)
      await tx
        .insertInto('attachment')
        .values({
          company_id: PLATFORM,
          kind: formFiles.kind,
          subject_kind: formFiles.subject,
          subject_id: id,
          nth: before + 1,
          state: 'clean',
          name: `${paper.file}.pdf`,
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
    for (const { id: company } of theirs)
      await tx
        .insertInto('form_template_assignment')
        .values({ company_id: company, template_id: id, assigned_at: made, assigned_by: by })
        .execute()
  }
}

export const demo: DemoPart = {
  after: ({ db, clock, files }) => outsideCompanies(db.platform)((tx) => fillLibrary(tx, clock, files)),
}
