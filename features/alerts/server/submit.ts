import type { AppContext } from '../../../server/app-context.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { conflict, type Refusal, rejected } from '../../../server/errors.ts'
import { actorOf, transition, type TransitionActor } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { transitionAlert, submitAlert } from '../contract-staff.ts'
import { type AlertTexts, blankIn } from '../rules.ts'
import { type Alert, alertStateStore, lockAlert, lockedAlert } from './alerts.ts'
import { approvalReasonFor, approvalOver } from './approval.ts'
import { audienceOf } from './count-audience.ts'
import { lockDraft } from './drafts.ts'
import { SEND_ALERTS } from './send.ts'

/** Company of the alerts, and the author. */
export interface AlertWriter extends Pick<Call, 'context' | 'company'> {
  actor: TransitionActor
}

/** Returns the key of a staff member: kind of staff and person id. */
export const staffKeyOf = (call: Call): string => {
  const { kind, personId } = signedIn(call)
  return `${kind}:${personId}`
}

/**
 * Returns the maximum number of recipients for an alert if staff confirmed this count. Some people may have joined
 * since the confirmation.
 */
const maxRecipientsFor = (people: number): number => Math.ceil(people * 1.1) + 10

/**
 * Returns the error for a text with an unfilled template placeholder, such as “[place] is closed”. Null if no
 * placeholder is left.
 */
export function blankLeft(texts: AlertTexts): Refusal | null {
  const blank = blankIn(texts)
  if (blank === undefined) return null
  return conflict('blank_left', say`Replace ${blank} in the text first. It is a placeholder from the template.`)
}

/**
 * Returns the reason that a draft can't be sent, or null. The draft's panel shows the reason before staff submit the
 * draft.
 */
export function hindranceOf(row: Alert, now: Date): Refusal | null {
  if (row.expires_at > now && (row.send_at === null || row.expires_at > row.send_at)) return blankLeft(row.content)
  const endsTooEarly = say`The alert would end before it is sent. Choose a later end time.`
  return rejected(endsTooEarly, { expiresAt: endsTooEarly })
}

/**
 * Submits a draft for sending or approval. Automatic alerts skip the approval, because the company allowed it.
 * @returns true if the draft awaits approval
 * @throws 409 if the draft would reach more than `maxPeople`
 */
export async function submitDraft(
  tx: Tx,
  { context, company, actor }: AlertWriter,
  row: Alert,
  { by, maxPeople = Infinity }: { by: string; maxPeople?: number },
): Promise<boolean> {
  const {
    counted: { people },
  } = await audienceOf(tx, company.id, row)
  if (people > maxPeople)
    throw conflict(
      'audience_grew',
      say`The number of recipients has grown to ${people}. Check the recipients and try again.`,
    )
  const needsApproval = approvalReasonFor(row, people, await approvalOver(tx, company.id)) !== ''
  const waits = needsApproval && actor.as !== 'system'
  await transition(tx, alertStateStore, {
    scope: company.id,
    id: row.id,
    locked: lockedAlert(row),
    event: 'submit',
    actor,
    to: waits ? 'waiting' : 'scheduled',
    patch: { submitted_by: by, people },
  })
  if (!waits) await enqueue(tx, context, row)
  return waits
}

export const submitCall = implement(submitAlert, (call) =>
  call.inCompany(async (tx) => {
    const { context, company } = call
    const now = context.clock.now()
    const row = await lockDraft(tx, company.id, call.body.alertId)
    const hindrance = hindranceOf(row, now)
    if (hindrance) throw hindrance
    const writer = { context, company, actor: actorOf(call) }
    const maxPeople = maxRecipientsFor(call.body.people)
    const waits = await submitDraft(tx, writer, row, { by: staffKeyOf(call), maxPeople })
    return {
      success: true as const,
      message: waits
        ? say`Alert ${row.number} is awaiting approval.`
        : row.send_at !== null && row.send_at > now
          ? say`Alert ${row.number} is scheduled.`
          : say`Alert ${row.number} is being sent.`,
    }
  }),
)

const enqueue = (tx: Tx, context: AppContext, { send_at }: Pick<Alert, 'send_at'>): Promise<void> =>
  context.jobs.enqueue(tx, SEND_ALERTS, {}, send_at === null ? {} : { after: send_at })

export const moveCall = implement(transitionAlert, (call) => {
  const { alertId, event, reason } = call.body
  const companyId = call.company.id
  return call.inCompany(async (tx) => {
    const row = await lockAlert(tx, companyId, alertId)
    if (event === 'approve' && row.submitted_by === staffKeyOf(call))
      throw conflict('own_alert', say`You submitted alert ${row.number}. Someone else must approve it.`)
    const { message } = await transition(tx, alertStateStore, {
      ...{ scope: companyId, id: alertId, locked: lockedAlert(row), event, actor: actorOf(call), reason },
      ...(event !== 'approve' && { patch: { submitted_by: '' } }),
    })
    if (event === 'approve') await enqueue(tx, call.context, row)
    return { success: true as const, message }
  })
})
