import { announceCase } from '../../../server/cases/entries.ts'
import type { Author } from '../../../server/cases/kinds.ts'
import { conflict } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { supportCase } from '../contract.ts'
import { isOpen, numberOf, type Status, statuses, stepsFrom } from '../rules.ts'

interface By {
  by: Author
  at: Date
  reason?: string
}

/**
 * Takes a request to another status and writes its history, in a transaction that holds it. The one place that does.
 * @throws 409 where no step leads there
 */
export async function changeStatus(
  tx: Tx,
  company: CompanyId,
  { id, status: from }: { id: number; status: Status },
  to: Status,
  { by, at, reason = '' }: By,
): Promise<void> {
  if (!stepsFrom(from).includes(to))
    throw conflict('wrong_status', `${numberOf(id)} is ${statuses[from]} now and can't become ${statuses[to]}.`)
  await tx
    .updateTable('support_request')
    .set({ status: to, closed_at: isOpen(to) ? null : at, updated_at: at })
    .where('company_id', '=', company)
    .where('id', '=', id)
    .execute()
  await writeHistory(tx, company, id, from, to, { by, at, reason })
  await announceCase(tx, { calls: supportCase }, { company_id: company, id })
}

/** A step as it is kept; -1 is where there was none before. */
export async function writeHistory(
  tx: Tx,
  company: CompanyId,
  id: number,
  from: Status | -1,
  to: Status,
  { by, at, reason = '' }: By,
): Promise<void> {
  await tx
    .insertInto('support_status_history')
    .values({
      company_id: company,
      request_id: id,
      at,
      from_status: from,
      to_status: to,
      reason,
      actor_kind: by.kind === 'person' ? 'person' : 'platform',
      actor_id: by.id,
      actor_name: by.name,
    })
    .execute()
}
