import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { addMessage, announceCase, authorOf, lockCase } from '../../../server/cases/entries.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { pointOf, resolveLocation } from '../../../server/places/at-point.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { EMAIL_REQUIRED } from '../../../shared/email.ts'
import { say } from '../../../shared/messages.ts'
import { formatPhone, nationalDigits } from '../../../shared/phone.ts'
import { roles } from '../../../shared/privileges.ts'
import { addCallerAsFollower, endCallBack, enterForCaller, openNearby } from '../contract-intake.ts'
import { COMPARED_DAYS, COMPARED_METRES, numberOf } from '../rules.ts'
import { acceptQuestions, expectLocation } from './accept-questions.ts'
import { requests } from './case.ts'
import { chosenCategory } from './categories.ts'
import { enterRequest, nextRequestId, yearOf } from './enter-request.ts'
import { addFollower, sendFollowConfirmation } from './followers.ts'
import { OPEN, type Request } from './row.ts'
import { otherRequestView } from './show-staff-request.ts'
import { subjectOf } from './staff-lists.ts'
import { expectOpen } from './staff-steps.ts'

const DAY = 86_400_000
const MAX_NEARBY = 8

const NO_RESIDENT = 'This resident was not found. Find the caller again, or enter the name.'

/** Finds the resident whom staff chose as the caller. @throws 422 if the company has no such active resident */
async function residentOf(tx: Tx, { company }: Call, id: number | null): Promise<{ id: number; email: string } | null> {
  if (id === null) return null
  const row = await tx
    .selectFrom('person')
    .select(['id', 'email'])
    .where('company_id', '=', company.id)
    .where('id', '=', id)
    .where('role_id', '=', roles.citizen)
    .where('is_active', '=', 1)
    .executeTakeFirst()
  if (!row) throw rejected(NO_RESIDENT, { name: NO_RESIDENT })
  return row
}

/** Creates a request for a caller. Validates everything before the portal assigns a number. */
export const enterForCallerCall = implement(enterForCaller, async (call) => {
  const { company, body } = call
  const { category, resident, answered } = await call.reading(async (tx) => {
    const chosen = await chosenCategory(tx, company.id, Number(body.categoryId))
    expectLocation(chosen, body.location)
    return {
      category: chosen,
      resident: await residentOf(tx, call, body.personId),
      answered: await acceptQuestions(tx, call, chosen, body, null),
    }
  })
  const id = await call.inCompany((tx) => nextRequestId(tx, company.id, yearOf(call)))
  await call.inCompany(async (tx) =>
    enterRequest(tx, call, {
      id,
      category,
      location: await resolveLocation(tx, company.id, body.location),
      text: {
        description: body.description,
        name: body.name,
        email: body.email,
        phone: nationalDigits(body.phone),
        person_id: resident?.id ?? null,
        ...answered,
      },
      files: body.files,
      by: 'staff',
      channel: body.channel,
    }),
  )
  const number = numberOf(id)
  return {
    success: true as const,
    message: say`Request ${number} was created for ${body.name}.`,
    requestId: id,
    number,
  }
})

/** Finds recent open requests near the location, or with the same text if the location has no coordinates. */
export const openNearbyCall = implement(openNearby, (call) => {
  const { company, context, body } = call
  return call.reading(async (tx) => {
    const { text, metres } = await resolveLocation(tx, company.id, body.location)
    if (!metres && text === '') return { requests: [] }
    const away = metres ? sql`round(r.at <-> ${pointOf(metres)})::int` : sql`NULL::int`
    const near = metres
      ? sql`r.at <@ circle(${pointOf(metres)}, ${COMPARED_METRES})`
      : sql`r.at IS NULL AND lower(r.location) = lower(${text})`
    const since = new Date(context.clock.now().getTime() - COMPARED_DAYS * DAY)
    const { rows } = await sql<Request & { metres: number | null; followers: number }>`
      SELECT r.*, ${away} AS metres,
        (SELECT count(*)::int FROM request_follower f WHERE f.company_id = r.company_id AND f.request_id = r.id
          AND f.verified_at IS NOT NULL AND f.stopped_at IS NULL) AS followers
      FROM found_service_request r
      WHERE r.company_id = ${company.id} AND ${OPEN} AND NOT r.is_spam AND r.created_at >= ${since} AND ${near}
      ORDER BY metres NULLS LAST, r.created_at DESC LIMIT ${MAX_NEARBY}`.execute(tx)
    return {
      requests: rows.map((row) => ({
        ...otherRequestView(row),
        subject: subjectOf(row.description),
        metres: row.metres,
        followers: row.followers,
      })),
    }
  })
})

/** Adds the caller as a follower. A resident with an account has already confirmed the email address. */
export const addCallerCall = implement(addCallerAsFollower, (call) => {
  const { company, context, body } = call
  const { name, email } = body
  if (email === '') throw rejected(EMAIL_REQUIRED, { email: EMAIL_REQUIRED })
  return call.inCompany(async (tx) => {
    const resident = await residentOf(tx, call, body.personId)
    const row = await lockCase(tx, requests, company.id, body.subjectId)
    expectOpen(row)
    const number = numberOf(row.id)
    if (row.email.toLowerCase() === email.toLowerCase() || (resident !== null && row.person_id === resident.id))
      throw conflict('own', say`${name} already gets updates, because ${number} is the caller’s own request.`)
    const verified = resident?.email.toLowerCase() === email.toLowerCase()
    const at = context.clock.now()
    const follower = await addFollower(tx, company.id, {
      request: row.id,
      email,
      person: resident?.id ?? null,
      at,
      verified,
    })
    if (!verified) await sendFollowConfirmation(tx, context, company, email, follower, row.id)
    const text = say`${name} reported the same problem and was added as a follower.`
    await addMessage(tx, context, requests, row, 'note', { by: authorOf(call, requests), text, at, files: [] })
    await call.audit(tx, { action: 'request.followed', subject: { kind: 'service_request', id: number } })
    return {
      success: true as const,
      message: verified
        ? say`${name} follows request ${number} and gets updates by email.`
        : say`The portal emailed ${email}. ${name} follows request ${number} after opening the link in the email.`,
    }
  })
})

/** Ends the mark of an answer that staff had to give by phone. */
export const endCallBackCall = implement(endCallBack, (call) => {
  const { company, context, body } = call
  return call.inCompany(async (tx) => {
    const row = await lockCase(tx, requests, company.id, body.subjectId)
    const number = numberOf(row.id)
    const message = say`${number}: the call is recorded.`
    if (row.call_back_since === null) return { success: true as const, message }
    await changeRow(tx, 'service_request', company.id, row.id, { call_back_since: null })
    const text = row.phone === '' ? say`Called back.` : say`Called back: ${formatPhone(row.phone)}.`
    const at = context.clock.now()
    await addMessage(tx, context, requests, row, 'note', { by: authorOf(call, requests), text, at, files: [] })
    await announceCase(tx, requests, row)
    await call.audit(tx, { action: 'request.called_back', subject: { kind: 'service_request', id: number } })
    return { success: true as const, message }
  })
})
