import type { Selectable } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import { PLATFORM } from '../../../server/audit.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { announce } from '../../../server/live.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { isOpen, numberOf, type Status, statuses, stepsFrom } from '../rules.ts'

export type Request = Pick<
  Selectable<Schema['support_request']>,
  'id' | 'status' | 'name' | 'email' | 'phone' | 'assigned_to' | 'last_message_id' | 'first_answered_at'
>

/** A request of a town; whoever else would change it waits. @throws 404 */
export async function lockRequest(tx: Tx, company: CompanyId, id: number): Promise<Request> {
  const found = await tx
    .selectFrom('support_request')
    .select(['id', 'status', 'name', 'email', 'phone', 'assigned_to', 'last_message_id', 'first_answered_at'])
    .where('company_id', '=', company)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw notFound('This support request was not found.')
  return found
}

/** Who says or does something: the person who asked, or somebody of the platform. */
export interface Doer {
  kind: 'person' | 'platform'
  id: number | null
  name: string
}

/** Writes down what was said; open screens hear of it. */
export async function addMessage(
  tx: Tx,
  company: CompanyId,
  request: Request,
  { kind, by, text, at }: { kind: 'person' | 'reply' | 'note'; by: Doer; text: string; at: Date },
): Promise<void> {
  const { id } = await tx
    .insertInto('support_message')
    .values({ company_id: company, request_id: request.id, at, kind, author_id: by.id, author_name: by.name, text })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('support_request')
    .set({
      last_message_id: id,
      updated_at: at,
      ...(kind === 'person' && { last_from: 'person' as const }),
      ...(kind === 'reply' && { last_from: 'support' as const, first_answered_at: request.first_answered_at ?? at }),
    })
    .where('company_id', '=', company)
    .where('id', '=', request.id)
    .execute()
  await announce(tx, PLATFORM, { topic: 'support', id: request.id })
}

/** Takes a request to another status and writes its history. @throws 409 where no step leads there */
export async function changeStatus(
  tx: Tx,
  company: CompanyId,
  { id, status: from }: Pick<Request, 'id' | 'status'>,
  to: Status,
  { by, at, reason = '' }: { by: Doer; at: Date; reason?: string },
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
  await announce(tx, PLATFORM, { topic: 'support', id })
}

export async function writeHistory(
  tx: Tx,
  company: CompanyId,
  id: number,
  from: Status | -1,
  to: Status,
  { by, at, reason }: { by: Doer; at: Date; reason: string },
): Promise<void> {
  await tx
    .insertInto('support_status_history')
    .values({
      ...{ company_id: company, request_id: id, at, from_status: from, to_status: to, reason },
      ...{ actor_kind: by.kind, actor_id: by.id, actor_name: by.name },
    })
    .execute()
}
