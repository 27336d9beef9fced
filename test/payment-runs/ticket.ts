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
  const earlier = decisions.filter(({ isDone }) => isDone)
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
  // If a parallel or late step decides the contest during or after this request, the period ends at that decision.
  const open = decisions.filter((decision) => !earlier.includes(decision)).map(({ attempt }) => attempt)
  contested.push({ from, to: Math.min(Infinity, ...open), lateCents: rows[0]?.late_cents ?? 0 })
}

export async function decide(
  { company: runCompany, ticket, contested, decisions }: Run,
  { event }: StepOf<'decide'>,
): Promise<void> {
  const before = await newestAttempt(runCompany)
  // Records the newest attempt from before the call. Even if the call fails, its decision can't be earlier than that
  // attempt.
  const decision = { attempt: before, isDone: false }
  decisions.push(decision)
  for (const one of contested) one.to = Math.min(one.to, before)
  const body = { ticketId: ticket.id, event, reason: 'The meter was looked at.' }
  try {
    expectResponse(await callApi(runCompany, 'manager', 'muni/change/parking/ticket/status', body))
  } finally {
    decision.isDone = true
  }
}

/** Moves the ticket's date back by 15 days, so that its next late fee is due. */
export async function late({ company: runCompany, ticket }: Run): Promise<void> {
  await runCompany.portal.owner.query('UPDATE parking_ticket SET counted_from = counted_from - 15 WHERE id = $1', [
    ticket.id,
  ])
  await applyLateSteps(runCompany.portal.context)
}
