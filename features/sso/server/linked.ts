import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'

interface IdentityLink {
  issuer: string
  subject: string
  /** Label of the issuer, or the issuer's URL if the company no longer trusts the issuer. */
  label: string
  linked_at: Date
}

/** Lists the issuers' identities that are linked to a person's account. */
export async function linksOf(tx: Tx, company: CompanyId, person: number): Promise<IdentityLink[]> {
  const { rows } = await sql<IdentityLink>`
    SELECT i.issuer, i.subject, i.linked_at, coalesce(p.label, c.label, i.issuer) AS label
    FROM sso_identity i
    LEFT JOIN sso_provider p ON p.company_id = i.company_id AND rtrim(p.issuer, '/') = rtrim(i.issuer, '/')
    LEFT JOIN ccs_issuer c ON c.company_id = i.company_id AND c.issuer = i.issuer
    WHERE i.company_id = ${company} AND i.person_id = ${person} ORDER BY i.linked_at, i.subject`.execute(tx)
  return rows
}

export const unlink = (tx: Tx, company: CompanyId, { issuer, subject }: Pick<IdentityLink, 'issuer' | 'subject'>) =>
  tx
    .deleteFrom('sso_identity')
    .where('company_id', '=', company)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
