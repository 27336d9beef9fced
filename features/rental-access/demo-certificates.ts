import sharp from 'sharp'
import { sql } from 'kysely'
import { tenancyOn } from '../../server/tenancy.ts'
import { JPEG } from '../../shared/file-types.ts'
import type { RentalDemo } from '../rentals/demo-steps.ts'
import { certificateFiles } from './contract-certificates.ts'
import type { CertificateStatus } from './states.ts'

const certificateSvg = (
  name: string,
  through: string,
) => `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="820">
  <rect width="640" height="820" fill="#fff"/><rect x="30" y="30" width="580" height="760" fill="none" stroke="#35566e" stroke-width="4"/>
  <g font-family="serif" fill="#222" text-anchor="middle"><text x="320" y="130" font-size="34">Certificate of Insurance</text>
  <text x="320" y="180" font-size="20">SAMPLE, no insurance</text><text x="320" y="330" font-size="28">${name}</text>
  <text x="320" y="390" font-size="22">General liability, $1,000,000</text><text x="320" y="450" font-size="22">Valid through ${through}</text></g></svg>`

/**
 * Outcomes for the certificates, used in rotation. An `expired` certificate was accepted, but it expires before the
 * reservation ends.
 */
const OUTCOMES = ['accepted', 'sent', 'accepted', 'expired', 'replacement_needed', 'none'] as const

const MAX_CERTIFICATES = 14

/** Adds certificates in every state to future reservations that need one. */
export async function addCertificates({ demo, company }: RentalDemo): Promise<void> {
  const { db, files, clock } = demo
  const inCompany = tenancyOn(db.app)
  const now = clock.now()
  const { rows } = await inCompany(company, (tx) =>
    sql<{ id: number; name: string; ends: string; before: string }>`
      SELECT v.id, v.name, (v.ends_at + interval '60 days')::date::text AS ends, (v.starts_at - interval '2 days')::date::text AS before
      FROM rental_reservation v JOIN rental_resource s ON s.company_id = v.company_id AND s.id = v.resource_id
      WHERE v.company_id = ${company} AND v.status = 'confirmed' AND v.starts_at > ${now} AND v.guests >= s.certificate_from
      ORDER BY v.starts_at, v.id LIMIT ${MAX_CERTIFICATES}`.execute(tx),
  )
  for (const [n, { id, name, ends, before }] of rows.entries()) {
    const outcome = OUTCOMES[n % OUTCOMES.length]
    if (outcome === 'none' || outcome === undefined) continue
    const status: CertificateStatus = outcome === 'expired' ? 'accepted' : outcome
    const through = outcome === 'expired' ? before : ends
    const rendered = await sharp(Buffer.from(certificateSvg(name, through)))
      .jpeg({ quality: 60 })
      .toBuffer()
    const preview = await sharp(rendered).resize(180).jpeg({ quality: 60 }).toBuffer()
    const { path, bytes, sha256 } = await files.write(company, rendered)
    await inCompany(company, async (tx) => {
      const sent = new Date(now.getTime() - (n + 1) * 3 * 3_600_000)
      const { id: certificate } = await tx
        .insertInto('rental_certificate')
        .values({
          ...{ company_id: company, reservation_id: id, valid_through: through, status, created_at: sent },
          reason:
            status === 'replacement_needed'
              ? 'The certificate does not name the town as insured. Ask your insurance company to add it.'
              : '',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('attachment')
        .values({
          ...{ company_id: company, kind: certificateFiles.kind, subject_kind: certificateFiles.subject },
          ...{
            subject_id: certificate,
            nth: 1,
            state: 'clean',
            name: 'certificate.jpg',
            content_type: JPEG,
            bytes,
            sha256,
          },
          ...{ path, preview, created_at: sent, created_by_kind: 'citizen', scanned_at: sent },
        })
        .execute()
      const steps = status === 'sent' ? ['send'] : ['send', status === 'accepted' ? 'accept' : 'request_replacement']
      for (const [before, event] of steps.entries())
        await tx
          .insertInto('status_history')
          .values({
            ...{ company_id: company, machine: 'rental_certificate', subject_id: certificate, seq: before + 1 },
            ...{ from_state: before === 0 ? '' : 'sent', to_state: before === 0 ? 'sent' : status, event, at: sent },
            ...{ actor_kind: 'system', actor_name: 'Mainstreet', reason: '' },
          })
          .execute()
    })
  }
}
