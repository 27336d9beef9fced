import { type Call, implement } from '../../../server/call.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import { countAttempt, defineAddressLimit, defineLimit } from '../../../server/limits.ts'
import { companyPersonOf } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { EMAIL_REQUIRED } from '../../../shared/email.ts'
import { say } from '../../../shared/messages.ts'
import { changeFollowing, followedRequest, followRequest } from '../contract.ts'
import { numberOf } from '../rules.ts'
import { requestStates, type RequestStatus } from '../states.ts'
import { addFollower, sendFollowConfirmation, readFollow } from './followers.ts'
import { publicAddress } from './public-location.ts'
import type { Request } from './row.ts'
import { sql } from 'kysely'

const perAddress = defineAddressLimit('request-follow', { max: 30 })
const perMailbox = defineLimit('request-follow-mailbox', { max: 6 })

export const followRequestCall = implement(followRequest, async (call) => {
  const { context, company, body, session } = call
  const person = companyPersonOf(session)
  const email = person === null ? body.email : session?.email
  if (!email) throw rejected(EMAIL_REQUIRED, { email: EMAIL_REQUIRED })
  await countAttempt(context, [perAddress(call.address), perMailbox(`${company.id}/${email.toLowerCase()}`)])
  return call.inCompany(async (tx) => {
    const row = await tx
      .selectFrom('service_request as r')
      .innerJoin('request_category as c', (join) =>
        join.onRef('c.company_id', '=', 'r.company_id').onRef('c.id', '=', 'r.category_id'),
      )
      .select(['r.id', 'r.status', 'r.person_id'])
      .where('r.company_id', '=', company.id)
      .where('r.public_id', '=', body.publicId)
      .where('r.is_spam', '=', false)
      .where('c.on_map', '=', 1)
      .executeTakeFirst()
    if (!row) throw notFound('This request was not found.')
    const number = numberOf(row.id)
    if (requestStates.states[row.status].open !== true)
      throw conflict(
        'wrong_status',
        say`You cannot follow request ${number} because its status is “${requestStates.labels[row.status]}”. Submit a new request instead.`,
      )
    if (person !== null && row.person_id === person)
      throw conflict('own', say`You already get updates on request ${number} because it is your own request.`)
    const follower = await addFollower(tx, company.id, {
      request: row.id,
      email,
      person,
      at: context.clock.now(),
      verified: person !== null,
    })
    await call.audit(tx, { action: 'request.followed', subject: { kind: 'service_request', id: number } })
    if (person === null) await sendFollowConfirmation(tx, context, company, email, follower, row.id)
    const message =
      person === null
        ? say`We sent an email to ${email}. Open the link in that email to follow request ${number}.`
        : say`You are now following request ${number} and will get updates.`
    return { success: true as const, message }
  })
})

type Follower = { id: number; request_id: number; verified_at: Date | null; stopped_at: Date | null }

async function followerOf(tx: Tx, call: Call<{ token: string }>): Promise<Follower> {
  const { context, company, body } = call
  const id = readFollow(context, company.id, body.token)
  const row = await tx
    .selectFrom('request_follower')
    .select(['id', 'request_id', 'verified_at', 'stopped_at'])
    .where('company_id', '=', company.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('This link is incorrect. Open it again from the email.')
  return row
}

export const followedRequestCall = implement(followedRequest, (call) =>
  call.reading(async (tx) => {
    const { company } = call
    const follower = await followerOf(tx, call)
    const { rows } = await sql<Request & { public_address: string | null }>`
      SELECT r.*, ${publicAddress} AS public_address FROM service_request r
      WHERE r.company_id = ${company.id} AND r.id = ${follower.request_id}`.execute(tx)
    const [row] = rows
    if (!row) throw notFound('This request was not found.')
    const steps = await tx
      .selectFrom('status_history')
      .select(['at', 'to_state'])
      .where('company_id', '=', company.id)
      .where('machine', '=', requestStates.name)
      .where('subject_id', '=', row.id)
      .orderBy('seq')
      .execute()
    return {
      number: numberOf(row.id),
      title: row.title,
      location: row.public_address ?? '',
      at: row.created_at.toISOString(),
      status: row.status,
      steps: steps.map(({ at, to_state }) => ({ at: at.toISOString(), status: Number(to_state) as RequestStatus })),
      following: follower.stopped_at
        ? ('stopped' as const)
        : follower.verified_at
          ? ('yes' as const)
          : ('asked' as const),
      mergedInto: row.merged_into === null ? null : numberOf(row.merged_into),
    }
  }),
)

export const changeFollowingCall = implement(changeFollowing, (call) =>
  call.inCompany(async (tx) => {
    const { context, company, body } = call
    const { id, request_id, verified_at } = await followerOf(tx, call)
    const now = context.clock.now()
    await tx
      .updateTable('request_follower')
      .set(body.follow ? { verified_at: verified_at ?? now, stopped_at: null } : { stopped_at: now })
      .where('company_id', '=', company.id)
      .where('id', '=', id)
      .execute()
    const number = numberOf(request_id)
    const action = body.follow ? 'request.followed' : 'request.unfollowed'
    await call.audit(tx, { action, subject: { kind: 'service_request', id: number } })
    return {
      success: true as const,
      message: body.follow
        ? say`You are following request ${number}.`
        : say`You are no longer following request ${number}.`,
    }
  }),
)
