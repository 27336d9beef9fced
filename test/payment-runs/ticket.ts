import { applyLateSteps } from '../../features/parking-tickets/server/apply-late-steps.ts'
import { callApi, expectResponse, guest } from './ask.ts'
import type { Run } from './run.ts'
import type { StepOf } from './steps.ts'
import type { RunCompany } from './company.ts'

/** Steps of a ticket other than payments. */

/** Returns the id of the newest payment attempt, even if the attempt failed. */
const newestAttempt = async ({ portal }: RunCompany): Promise<number> =>
  (await portal.owner.query<{ id: number }>('SELECT last_value AS id FROM payment_attempt_id_seq')).rows[0]?.id ?? 0

export async function contest({ company: runCompany, ticket, contested, decisions }: Run): Promise<void> {
  const { citation, plate } = ticket
  const before = decisions.length
  const response = await guest(runCompany, 'send/parking/contest', {
    citation,
    plate,
    plateState: 'PA',
    name: 'Ada Quill',
    email: 'ada@example.com',
    grounds: 'The meter took my coins and showed nothing.',
    files: [],
  })
  if (!expectResponse(response)) return
  const { rows } = await runCompany.portal.owner.query<{ late_cents: number }>(
    'SELECT late_cents FROM parking_ticket WHERE id = $1',
    [ticket.id],
  )
  const from = await newestAttempt(runCompany)
  // If a parallel step decided the contest during this request, the period ends at that decision.
  contested.push({ from, to: Math.min(Infinity, ...decisions.slice(before)), lateCents: rows[0]?.late_cents ?? 0 })
}

export async function decide(
  { company: runCompany, ticket, contested, decisions }: Run,
  { event }: StepOf<'decide'>,
): Promise<void> {
  const before = await newestAttempt(runCompany)
  // Records the newest attempt from before the call. Even if the call fails, its decision can't be earlier than that
  // attempt.
  decisions.push(before)
  for (const one of contested) one.to = Math.min(one.to, before)
  const body = { ticketId: ticket.id, event, reason: 'The meter was looked at.' }
  expectResponse(await callApi(runCompany, 'manager', 'muni/change/parking/ticket/status', body))
}

/** Moves the ticket's date back by 15 days, so that its next late fee is due. */
export async function late({ company: runCompany, ticket }: Run): Promise<void> {
  await runCompany.portal.owner.query('UPDATE parking_ticket SET counted_from = counted_from - 15 WHERE id = $1', [
    ticket.id,
  ])
  await applyLateSteps(runCompany.portal.context)
}
