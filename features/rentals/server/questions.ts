import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import type { Resource } from './resources.ts'

/** Questions that a resource asks its renters. The answers and the agreement are conditions of a reservation. */

export interface AgreementQuestions {
  set: number
  version: number
  definition: Definition
}

/** Loads the current questions of a resource. Null if the resource has none. */
export async function agreementQuestionsOf(
  tx: Tx,
  company: CompanyId,
  { field_set_id: set, has_questions: hasQuestions }: Pick<Resource, 'field_set_id' | 'has_questions'>,
): Promise<AgreementQuestions | null> {
  if (set === null || !hasQuestions) return null
  const row = await tx
    .selectFrom('field_set_version')
    .select(['version', 'definition'])
    .where('company_id', '=', company)
    .where('field_set_id', '=', set)
    .orderBy(sql.ref('version'), 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { set, ...row } : null
}

/** Removes the unanswered questions from the reservations of a resource. */
export const removeQuestions = (tx: Tx, company: CompanyId, resourceId: number): Promise<unknown> =>
  sql`
    UPDATE rental_reservation SET field_set_id = NULL, sign_token_hash = NULL
    WHERE company_id = ${company} AND resource_id = ${resourceId} AND field_set_id IS NOT NULL AND agreement_id IS NULL`.execute(
    tx,
  )
