import sharp from 'sharp'
import { loadCompanyDetails, type Demo } from '../../server/demo.ts'
import { type CompanyId, tenancyOn } from '../../server/tenancy.ts'
import { JPEG } from '../../shared/file-types.ts'
import { resourcePhotos } from './contract-photos.ts'
import { photoOf } from './demo-images.ts'
import type { ResourceKind } from './rules.ts'

const descriptions: Record<ResourceKind, string> = {
  pavilion: 'an open shelter with tables under its roof, between trees',
  hall: 'a long building with a gable and tall windows',
  field: 'a green field with white lines and goals',
  equipment: 'folding tables in front of a shed',
}

/**
 * Adds a daytime illustration to each resource of a company. Every second resource also gets an evening illustration.
 */
export async function addPhotos({ db, files, clock }: Demo, company: CompanyId): Promise<void> {
  const inCompany = tenancyOn(db.app)
  const { subdomain } = await inCompany(company, (tx) => loadCompanyDetails(tx, company))
  const companyIndex = subdomain === 'maplegrove' ? 0 : 1
  const resources = await inCompany(company, (tx) =>
    tx
      .selectFrom('rental_resource')
      .select(['id', 'name', 'kind'])
      .where('company_id', '=', company)
      .orderBy('id')
      .execute(),
  )
  const now = clock.now()
  for (const [n, { id, name, kind }] of resources.entries())
    for (const inTheEvening of n % 2 === 0 ? [false, true] : [false]) {
      const boats = name === 'Kayaks'
      const rendered = await sharp(Buffer.from(photoOf({ kind, palette: companyIndex, inTheEvening, boats })))
        .jpeg({ quality: 72 })
        .toBuffer()
      const preview = await sharp(rendered).resize(240).jpeg({ quality: 70 }).toBuffer()
      const { path, bytes, sha256 } = await files.write(company, rendered)
      const what = boats ? 'four kayaks on the water' : descriptions[kind]
      const index = inTheEvening ? 2 : 1
      await inCompany(company, async (tx) => {
        const { id: file } = await tx
          .insertInto('attachment')
          .values({
            ...{ company_id: company, kind: resourcePhotos.kind, subject_kind: resourcePhotos.subject, subject_id: id },
            ...{
              nth: index,
              state: 'clean',
              name: `${inTheEvening ? 'evening' : 'day'}.jpg`,
              content_type: JPEG,
              bytes,
              sha256,
            },
            ...{ path, preview, created_at: now, created_by_kind: 'municipality', scanned_at: now },
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const alt = inTheEvening ? `${name} in the evening: ${what} (drawing)` : `${name}: ${what} (drawing)`
        await tx
          .insertInto('rental_photo')
          .values({ company_id: company, file_id: file, resource_id: id, alt, position: index })
          .execute()
      })
    }
}
