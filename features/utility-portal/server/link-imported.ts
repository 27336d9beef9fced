import { sql } from 'kysely'
import type { Call } from '../../../server/call.ts'
import type { ImportedRows, UndoRules } from '../../../server/imported-rows.ts'
import type { Tx } from '../../../server/tenancy.ts'

/** Rule that undoes the links of imported residents. */
export const importedLinks: UndoRules['tables'][number] = {
  table: 'linked_account',
  column: 'person_id',
  of: 'person',
}

interface ImportedLinks {
  person: number
  accountIds: readonly number[]
}

/** Links utility accounts to residents during an import. Links that exist stay as they are. */
export async function linkImported(
  tx: Tx,
  { company, context }: Call,
  people: readonly ImportedLinks[],
  changes: ImportedRows,
): Promise<void> {
  const links = people.flatMap(({ person, accountIds }) => accountIds.map((account) => ({ person, account })))
  if (links.length === 0) return
  await sql`
    INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
    SELECT ${company.id}::int, x.person, x.account, ${context.clock.now()}::timestamptz
    FROM unnest(${links.map(({ person }) => person)}::bigint[], ${links.map(({ account }) => account)}::bigint[]) AS x(person, account)
    ON CONFLICT DO NOTHING`.execute(tx)
  await changes.note('linked_account', 'person_id', [...new Set(links.map(({ person }) => person))])
}
