import type { Company } from '../../../server/hosts.ts'
import { implement } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import type { House } from '../../../server/house.ts'
import { countTry, defineLimit } from '../../../server/limits.ts'
import { hashSecret } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { conversation, followUp } from '../contract.ts'
import { numberOf, type Status } from '../rules.ts'
import { addMessage, changeStatus, lockRequest } from './queries.ts'

const messagesPerRequest = defineLimit('support-message', { most: 10 })
/** A conversation that is longer than this is none any more. */
const MOST_MESSAGES = 200

const LINK_OVER = 'This link is not known, or it is too old. Please enter a new support request.'

/** Which request a mailed link opens. @throws 404 */
async function requestBehind(tx: Tx, house: House, company: Company, token: string): Promise<number> {
  const link = await tx
    .selectFrom('support_link')
    .select('request_id')
    .where('company_id', '=', company.id)
    .where('token_hash', '=', hashSecret(token))
    .where('expires_at', '>', house.clock.now())
    .executeTakeFirst()
  if (!link) throw notFound(LINK_OVER)
  return link.request_id
}

/** What was said, without the staff's notes. The support answers by first names. */
export const conversationCall = implement(conversation, ({ house, company, body }) =>
  house.inCompany(company.id, async (tx) => {
    const id = await requestBehind(tx, house, company, body.token)
    const request = await tx
      .selectFrom('support_request')
      .select(['status', 'category', 'created_at', 'name', 'message'])
      .where('company_id', '=', company.id)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const messages = await tx
      .selectFrom('support_message')
      .select(['id', 'at', 'kind', 'author_name', 'text'])
      .where('company_id', '=', company.id)
      .where('request_id', '=', id)
      .where('kind', '<>', 'note')
      .orderBy('id')
      .execute()
    const first = { id: 0, at: request.created_at, kind: 'person', author_name: request.name, text: request.message }
    return {
      number: numberOf(id),
      category: request.category,
      status: request.status,
      messages: [first, ...messages].map(({ id: message, at, kind, author_name, text }) => ({
        id: message,
        at: at.toISOString(),
        from: kind === 'person' ? ('you' as const) : ('support' as const),
        by: kind === 'person' ? author_name : (author_name.split(' ')[0] ?? ''),
        text,
      })),
      can: { write: mayWrite(request.status) },
    }
  }),
)

const mayWrite = (status: Status): boolean => status !== 4

/** The person writes again. What was completed is open again. */
export const followUpCall = implement(followUp, async (call) => {
  const { house, company, body } = call
  const id = await call.inCompany((tx) => requestBehind(tx, house, company, body.token))
  await countTry(house, [messagesPerRequest(id)])
  return call.inCompany(async (tx) => {
    const request = await lockRequest(tx, company.id, id)
    if (!mayWrite(request.status))
      throw conflict('wrong_status', `${numberOf(id)} is closed. Please enter a new support request.`)
    await expectRoom(tx, company, id)
    const at = house.clock.now()
    const by = { kind: 'person' as const, id: null, name: request.name }
    await addMessage(tx, company.id, request, { kind: 'person', by, text: body.message, at })
    if (request.status === 2) await changeStatus(tx, company.id, request, 3, { by, at })
    await call.audit(tx, { action: 'support.followed_up', subject: { kind: 'support_request', id: numberOf(id) } })
    return {
      success: true as const,
      message:
        request.status === 2
          ? `Your message was sent. ${numberOf(id)} is open again.`
          : 'Your message was sent. We will answer you by mail.',
    }
  })
})

async function expectRoom(tx: Tx, company: Company, id: number): Promise<void> {
  const { n } = await tx
    .selectFrom('support_message')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('company_id', '=', company.id)
    .where('request_id', '=', id)
    .executeTakeFirstOrThrow()
  if (Number(n) >= MOST_MESSAGES)
    throw conflict('too_long', 'This conversation is full. Please enter a new support request.')
}
