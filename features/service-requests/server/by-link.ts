import { type Call, implement } from '../../../server/call.ts'
import { addMessage, findCase, lockCase } from '../../../server/cases/entries.ts'
import { findByLink } from '../../../server/cases/guest.ts'
import { fileCall, previewOf } from '../../../server/attachments/keep.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { versionOf } from '../../../server/fields/sets.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { answerText } from '../../../shared/fields/labels.ts'
import { eventsFrom } from '../../../shared/machine.ts'
import { say } from '../../../shared/messages.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import { photosOfRepair } from '../../work-orders/api.ts'
import { cancelRequest, downloadRepairPhoto, submitFeedback, requestByLink } from '../contract.ts'
import { numberOf, requestStatus } from '../rules.ts'
import { transition } from '../../../server/states.ts'
import { requestStates } from '../states.ts'
import { requesterOf, requests, requestStateStore } from './case.ts'
import { mayReopen, type Request, SOURCE } from './row.ts'

/** Formats the answers to the category's questions as display text. */
export async function answerTexts(
  tx: Tx,
  company: CompanyId,
  { field_set_id, version, answers }: Pick<Request, 'field_set_id' | 'version' | 'answers'>,
) {
  if (field_set_id === null || version === null) return []
  const { definition } = await versionOf({ tx, company }, field_set_id, version)
  const answerValues = answers as Answers
  return allFields(definition).flatMap((field) => {
    const answer = answerValues[field.name]
    return answer === undefined ? [] : [{ label: field.label, value: answerText(field, answer) }]
  })
}

/** Loads the requester's feedback on the latest repair. Null if none was given. */
const feedbackOf = async (tx: Tx, { company_id, id, status, closed_at }: Request) =>
  status !== requestStatus.completed || closed_at === null
    ? undefined
    : tx
        .selectFrom('request_feedback')
        .select('is_fixed')
        .where('company_id', '=', company_id)
        .where('request_id', '=', id)
        .where('completed_at', '=', closed_at)
        .executeTakeFirst()

/**
 * Lists photos of the work. Empty until the request is completed, because only then has the company confirmed the work.
 */
const repairOf = async (tx: Tx, { company_id, id, status }: Request) =>
  status === requestStatus.completed ? photosOfRepair(tx, company_id as CompanyId, { kind: SOURCE, id }) : []

export const repairPhotoCall = fileCall(downloadRepairPhoto, (call) =>
  call.inCompany(async (tx) => {
    const row = await findCase(tx, requests, call.company.id, await findByLink(tx, requests, call, call.body.token))
    const photo = (await repairOf(tx, row)).find(({ id }) => id === call.body.photoId)
    if (!photo) throw notFound('This photo was not found.')
    return photo
  }),
)

export const requestByLinkCall = implement(requestByLink, (call) =>
  call.reading(async (tx) => {
    const { company, context } = call
    const row = await findCase(tx, requests, company.id, await findByLink(tx, requests, call, call.body.token))
    const feedback = await feedbackOf(tx, row)
    const { followers } = await tx
      .selectFrom('request_follower')
      .select(({ fn }) => fn.countAll<number>().as('followers'))
      .where('company_id', '=', company.id)
      .where('request_id', '=', row.id)
      .where('verified_at', 'is not', null)
      .where('stopped_at', 'is', null)
      .executeTakeFirstOrThrow()
    const steps: readonly string[] = eventsFrom(requestStates, row.status, { as: 'requester' })
    const reopen = mayReopen(row, context.clock.now())
    return {
      number: numberOf(row.id),
      title: row.title,
      location: row.location,
      lat: row.lat,
      lon: row.lon,
      status: row.status,
      dueAt: row.due_at.toISOString(),
      answers: await answerTexts(tx, company.id, row),
      followers: Number(followers),
      mergedInto: row.merged_into === null ? null : numberOf(row.merged_into),
      feedback: feedback ? (feedback.is_fixed === 1 ? ('fixed' as const) : ('unfixed' as const)) : null,
      reopenUntil: reopen ? (row.reopen_until?.toISOString() ?? null) : null,
      photos: (await repairOf(tx, row)).map((one) => ({ id: one.id, preview: previewOf(one) })),
      can: {
        cancel: steps.includes('cancel'),
        giveFeedback: row.status === requestStatus.completed && !feedback,
        reopen,
      },
    }
  }),
)

/** Finds the request of an emailed link and locks it. */
const lockRequest = async (tx: Tx, call: Call<{ token: string }>): Promise<Request> =>
  lockCase(tx, requests, call.company.id, await findByLink(tx, requests, call, call.body.token))

export const cancelRequestCall = implement(cancelRequest, (call) =>
  call.inCompany(async (tx) => {
    const { context, company } = call
    const row = await lockRequest(tx, call)
    await transition(tx, requestStateStore, {
      scope: company.id,
      id: row.id,
      event: 'cancel',
      actor: requesterOf(call, row),
      deps: { context, company },
    })
    return { success: true as const, message: say`${numberOf(row.id)} was cancelled.` }
  }),
)

export const submitFeedbackCall = implement(submitFeedback, (call) =>
  call.inCompany(async (tx) => {
    const { context, company, body } = call
    const row = await lockRequest(tx, call)
    const number = numberOf(row.id)
    if (row.status !== requestStatus.completed || row.closed_at === null)
      throw conflict(
        'wrong_status',
        say`You cannot send feedback on request ${number} because its status is “${requestStates.labels[row.status]}”. You can send feedback only on completed requests.`,
      )
    const now = context.clock.now()
    const added = await tx
      .insertInto('request_feedback')
      .values({
        company_id: company.id,
        request_id: row.id,
        completed_at: row.closed_at,
        at: now,
        is_fixed: body.isFixed ? 1 : 0,
        text: body.text,
      })
      .onConflict((on) => on.columns(['company_id', 'request_id', 'completed_at']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) throw conflict('judged', say`You already sent feedback on request ${number}. Thank you.`)
    const subject = { kind: 'service_request' as const, id: number }
    await call.audit(tx, { action: 'request.feedback_given', subject, detail: { isFixed: body.isFixed } })
    const by = { kind: 'person' as const, id: null, name: row.name }
    const text = body.text || (body.isFixed ? say`The problem was fixed.` : say`The problem was not fixed.`)
    await addMessage(tx, context, requests, row, 'message', { by, text, at: now, files: [] })
    if (body.isFixed)
      return { success: true as const, message: say`Thank you. We are glad that the problem was fixed.` }
    if (!mayReopen(row, now))
      return {
        success: true as const,
        message: say`Thank you. The deadline to reopen request ${number} has passed. Please submit a new request.`,
      }
    await transition(tx, requestStateStore, {
      scope: company.id,
      id: row.id,
      event: 'reopen',
      actor: requesterOf(call, row),
      deps: { context, company, recipients: 'followers' },
    })
    return { success: true as const, message: say`Thank you. Request ${number} is open again.` }
  }),
)
