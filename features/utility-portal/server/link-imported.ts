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
  changes: ImportedRows
}

/** Links utility accounts to a resident during an import. Links that exist stay as they are. */
export async function linkImported(
  tx: Tx,
  { company, context }: Call,
  { person, accountIds, changes }: ImportedLinks,
): Promise<void> {
  if (accountIds.length === 0) return
  const link = { company_id: company.id, person_id: person, linked_at: context.clock.now() }
  await tx
    .insertInto('linked_account')
    .values(accountIds.map((account_id) => ({ ...link, account_id })))
    .onConflict((on) => on.doNothing())
    .execute()
  await changes.note('linked_account', 'person_id', [person])
}
