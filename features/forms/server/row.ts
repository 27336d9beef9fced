import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import { versionOf } from '../../../server/fields/sets.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import type { Definition } from '../../../shared/fields/definition.ts'

export type Submission = Selectable<Schema['form_submission']>

/** As the migration's partial index has it: somebody of the town, or whoever sent it, still has to do something. */
export const OPEN = sql`r.status IN (0, 1, 11)`

/** What was sent, with the version that it was given to. */
export async function sentOf(
  tx: Tx,
  company: CompanyId,
  { field_set_id, version, answers }: Pick<Submission, 'field_set_id' | 'version' | 'answers'>,
): Promise<{ definition: Definition; answers: Answers }> {
  const { definition } = await versionOf({ tx, company }, field_set_id, version)
  return { definition, answers: answers as Answers }
}
