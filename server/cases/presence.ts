import { PLATFORM } from '../audit.ts'
import { type Call, type Handler, implement, signedIn } from '../call.ts'
import { announcePresence } from '../live.ts'
import { authorOf, findCase, inStaffScope } from './entries.ts'
import type { CaseKind, CaseRow } from './kinds.ts'

/** Returns the calls with which staff see who else has a case open. */
export function presenceCalls<Row extends CaseRow>(of: CaseKind<Row>): Handler[] {
  const { topic, audience } = of.calls
  // Calls of the platform have no company.
  const scopeOf = (call: Call) => (audience === 'platform' ? PLATFORM : call.company.id)
  return [
    implement(of.calls.presence, async (call) => {
      const { subjectId, state, screen } = call.body
      // The person who impersonates is not one of the staff who answer.
      if (signedIn(call).impersonation) return { success: true as const }
      const { id: person, name } = authorOf(call, of)
      await inStaffScope(call, of, async (tx) => {
        const { company_id: companyId, id } = await findCase(tx, of, call.company.id, subjectId)
        const at = call.context.clock.now().getTime()
        await announcePresence(tx, scopeOf(call), { topic, companyId, id, person, screen, name, state, at })
      })
      return { success: true as const }
    }),
    implement(of.calls.present, async (call) => {
      const now = call.context.clock.now().getTime()
      const people = call.context.live.presences.of(scopeOf(call), topic, { now, except: signedIn(call).personId })
      return {
        people: people.map(({ companyId, id, name, state }) => ({
          companyId,
          id,
          name,
          isWriting: state === 'writing',
        })),
      }
    }),
  ]
}
