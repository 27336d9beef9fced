import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import { versionOf } from '../../../server/fields/sets.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { answersAsText, openSubmissions } from '../rules.ts'
import { litList } from '../../../server/list-sql.ts'

export type Submission = Selectable<Schema['form_submission']>

/** Matches the partial index in the migration: submissions that still need action from staff or the sender. */
export const OPEN = sql`r.status IN (${litList(openSubmissions)})`

/** Returns the answers as text. An imported permit also has the details of the system that it comes from. */
export const textsOf = (
  { made_by, details }: Pick<Submission, 'made_by' | 'details'>,
  { definition, answers }: { definition: Definition; answers: Answers },
) => [
  ...answersAsText(definition, answers),
  ...(made_by === 'import' ? details.map(({ name, value }) => ({ name, label: name, value })) : []),
]

/** Returns the sent answers, with the version of the fields that they belong to. */
export async function sentOf(
  tx: Tx,
  company: CompanyId,
  { field_set_id, version, answers }: Pick<Submission, 'field_set_id' | 'version' | 'answers'>,
): Promise<{ definition: Definition; answers: Answers }> {
  const { definition } = await versionOf({ tx, company }, field_set_id, version)
  return { definition, answers: answers as Answers }
}
