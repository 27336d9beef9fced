import { type Call, type Handler, implement } from '../call.ts'
import { conflict, notFound } from '../errors.ts'
import { countAttempt, defineLimit } from '../limits.ts'
import { hashSecret } from '../sessions.ts'
import type { Tx } from '../tenancy.ts'
import { lockUntilCommit } from '../named-lock.ts'
import { addMessage, findCase, lockCase } from './entries.ts'
import type { CaseKind, CaseRow } from './kinds.ts'
import { markSeen, PERSON, readerOf } from './seen.ts'
import { timelineOf } from './timeline.ts'
import { say } from '../../shared/messages.ts'

const messagesPerCase = defineLimit('case-message', { max: 10 })
/** Maximum number of messages in a case, to prevent abuse. */
const MAX_ENTRIES = 200

/**
 * Finds the case of an emailed link.
 * @throws 404 if the link is unknown or has expired
 */
export async function findByLink(tx: Tx, of: CaseKind, { context, company }: Call, token: string): Promise<number> {
  const link = await tx
    .selectFrom('case_link')
    .select('subject_id')
    .where('company_id', '=', company.id)
    .where('token_hash', '=', hashSecret(token))
    .where('subject_kind', '=', of.calls.kind)
    .where('expires_at', '>', context.clock.now())
    .executeTakeFirst()
  if (!link) throw notFound(of.texts.linkExpired)
  return link.subject_id
}

/** Returns the calls for a person with an emailed link: to read the case and to write a message. */
export function guestCalls<Row extends CaseRow>(of: CaseKind<Row>): Handler[] {
  return [
    implement(of.calls.messages, (call) =>
      call.inCompany(async (tx) => {
        const row = await findCase(tx, of, call.company.id, await findByLink(tx, of, call, call.body.token))
        const { seenId } = await readerOf(tx, of, row, PERSON)
        const entries = await timelineOf(tx, of, row, PERSON)
        return {
          number: of.numberOf(row.id),
          title: of.title(row),
          state: of.state(row),
          entries,
          // Excludes internal notes, so that the requester can't even learn how many exist.
          lastMessageId: Math.max(0, ...entries.map(({ id }) => id)),
          // The requester's own messages are never new to them. Before the first visit, all replies are new.
          seenId: seenId ?? 0,
          can: { write: of.noMessage(row, call.context.clock.now()) === null },
          reopens: of.reopens(row, call.context.clock.now()),
        }
      }),
    ),
    implement(of.calls.readMessages, (call) =>
      call.inCompany(async (tx) => {
        const row = await findCase(tx, of, call.company.id, await findByLink(tx, of, call, call.body.token))
        await markSeen(tx, of, row, PERSON, Math.min(call.body.upTo, row.last_message_id))
        return { success: true as const }
      }),
    ),
    implement(of.calls.message, async (call) => {
      const { context, company, body } = call
      const id = await call.inCompany((tx) => findByLink(tx, of, call, body.token))
      await countAttempt(context, [messagesPerCase(`${of.calls.kind}/${company.id}/${id}`)])
      return call.inCompany(async (tx) => {
        const row = await lockCase(tx, of, company.id, id)
        const reopened = of.reopens(row, context.clock.now())
        await writeAsRequester(tx, call, of, row, { text: body.message, files: body.files })
        return {
          success: true as const,
          message: reopened
            ? say`Your message was sent. Your request ${of.numberOf(id)} is open again.`
            : 'Your message was sent. We will reply by email.',
        }
      })
    }),
  ]
}

/**
 * Adds a message of the requester to a locked case.
 * @returns the entry's number
 * @throws 409 if the case is closed or full
 */
export async function writeAsRequester<Row extends CaseRow>(
  tx: Tx,
  call: Call,
  of: CaseKind<Row>,
  row: Row,
  message: { text: string; files: readonly string[] },
): Promise<number> {
  const at = call.context.clock.now()
  const refusal = of.noMessage(row, at)
  if (refusal) throw conflict('wrong_status', refusal)
  await expectRoom(tx, of, row)
  const by = { kind: 'person' as const, id: null, name: of.person(row).name }
  const entry = await addMessage(tx, call.context, of, row, 'message', {
    ...{ ...message, by, at },
    sender: call.session?.personId ?? null,
  })
  await of.onMessage(tx, call, row)
  await call.audit(tx, { action: of.audit.followedUp, subject: { kind: of.subject, id: of.numberOf(row.id) } })
  return entry
}

async function expectRoom(tx: Tx, of: CaseKind, row: CaseRow): Promise<void> {
  await lockUntilCommit(tx, 'case_entry', row.company_id, of.calls.kind, row.id)
  const { n } = await tx
    .selectFrom('case_entry')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('company_id', '=', row.company_id)
    .where('subject_kind', '=', of.calls.kind)
    .where('subject_id', '=', row.id)
    .where('kind', '<>', 'assignment')
    .executeTakeFirstOrThrow()
  if (Number(n) >= MAX_ENTRIES) throw conflict('too_long', of.texts.full)
}
