import type { Call } from '../../../server/call.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { notify } from '../../../server/notices/notify.ts'
import { defineStateStore, type LockedEntity, type Transition } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/messages.ts'
import { type ApplicationStatus, applicationStates } from '../states.ts'
import { seasonNotice } from './notify-season.ts'
import { type Application, lockApplication, lockedApplication, type Round } from './rounds.ts'

/** Content of the email about a decision. `series` has the ids of the allocated reservations. */
interface DecisionEmail {
  subject: string
  text: string[]
  series: number[]
}

/** Dependencies that an email to the applicant needs. Only the event `decide` has a `decision`. */
interface ApplicantDeps extends Pick<Call, 'company' | 'context'> {
  row: Application
  round: Round
  decision?: DecisionEmail
}

type ApplicationStep = Transition<
  ApplicationStatus,
  EventOf<typeof applicationStates>,
  LockedEntity<ApplicationStatus>,
  Partial<Application>
>

async function emailApplicant(tx: Tx, deps: ApplicantDeps, email: DecisionEmail): Promise<void> {
  const { company, context, row, round } = deps
  if (row.email === '') return
  await notify(tx, context, {
    ...{ at: company, to: row.email, person: row.person_id, notice: seasonNotice },
    data: { row, round, ...email },
  })
}

export const applicationStateStore = defineStateStore({
  machine: applicationStates,
  subject: 'rental_application',
  lock: async (tx, scope, id) => lockedApplication(await lockApplication(tx, scope as CompanyId, id)),
  write: (tx, { scope, locked, to, at, patch }: ApplicationStep) =>
    changeRow(tx, 'rental_application', scope, locked.id, { ...patch, status: to, updated_at: at }),
  effects: {
    exclude: (tx, { reason }, deps: ApplicantDeps) =>
      emailApplicant(tx, deps, {
        subject: say`${deps.round.name}: your application was excluded from the lottery`,
        text: [say`The office excluded your application from the lottery. Reason: ${reason}`],
        series: [],
      }),
    decide: async (tx, _step, deps: ApplicantDeps) => {
      if (deps.decision) await emailApplicant(tx, deps, deps.decision)
    },
  },
})
