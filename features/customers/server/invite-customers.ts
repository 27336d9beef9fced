import { sql } from 'kysely'
import { AccountRealm } from '../../../server/accounts/account-realms.ts'
import { accountNotice } from '../../../server/accounts/emails.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { implement } from '../../../server/call.ts'
import { conflict } from '../../../server/errors.ts'
import { lockUntilCommit } from '../../../server/named-lock.ts'
import { hashSecret, newSecret } from '../../../server/sessions.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { formatInstant } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { roles } from '../../../shared/privileges.ts'
import { returnCustomerInvitations, sendCustomerInvitations } from '../contract.ts'

const JOB = 'customers.invite'
/** Days until a link expires. */
const INVITATION_DAYS = 14
/** Number of emails in one job. */
const BATCH = 200

interface Invited {
  email: string
  code: string
}

/** Imported residents without a password, a sign-in or an invitation. */
const awaiting = (company: CompanyId) => sql`
  person p WHERE p.company_id = ${company} AND p.role_id = ${sql.lit(roles.citizen)} AND p.is_active = 1 AND p.locked_at IS NULL
    AND p.password_hash IS NULL AND p.signed_in_at IS NULL
    AND EXISTS (SELECT FROM status_history h WHERE h.company_id = p.company_id AND h.machine = 'account' AND h.subject_id = p.id
      AND h.event = 'import')
    AND NOT EXISTS (SELECT FROM invitation i WHERE i.company_id = p.company_id AND i.person_id = p.id)`

export const returnCustomerInvitationsCall = implement(returnCustomerInvitations, (call) =>
  call.reading(async (tx) => {
    const { rows } = await sql<{
      count: number
    }>`SELECT count(*)::int AS count FROM ${awaiting(call.company.id)}`.execute(tx)
    return { count: rows[0]?.count ?? 0 }
  }),
)

/** Invites each imported resident once. The emails leave in jobs after the commit. */
export const sendCustomerInvitationsCall = implement(sendCustomerInvitations, async (call) => {
  const { context, company } = call
  if (!company.isOnline)
    throw conflict('offline', say`${company.name} is offline, so residents cannot open the portal. Go online first.`)
  const until = new Date(context.clock.now().getTime() + INVITATION_DAYS * 24 * 3_600_000)
  const count = await call.inCompany(async (tx) => {
    await lockUntilCommit(tx, 'invitation', company.id)
    const invited = await invite(tx, company.id, until)
    if (invited.length === 0)
      throw conflict('none_left', say`Everyone was invited. No imported resident waits for an invitation.`)
    for (let from = 0; from < invited.length; from += BATCH) {
      const data: InvitationBatch = {
        company: company.id,
        until: until.toISOString(),
        invited: invited.slice(from, from + BATCH),
      }
      await context.jobs.enqueue(tx, JOB, data)
    }
    await call.audit(tx, { action: 'person.invited', detail: { count: invited.length } })
    return invited.length
  })
  return {
    success: true as const,
    message:
      count === 1
        ? say`The portal is sending 1 invitation.`
        : say`The portal is sending ${count.toLocaleString('en-US')} invitations.`,
  }
})

async function invite(tx: Tx, company: CompanyId, until: Date): Promise<Invited[]> {
  const { rows } = await sql<{ id: number; email: string }>`
    SELECT p.id, p.email FROM ${awaiting(company)} ORDER BY p.id`.execute(tx)
  const invited = rows.map(({ id, email }) => ({ id, email, code: newSecret() }))
  await sql`
    INSERT INTO invitation (company_id, code_hash, person_id, expires_at)
    SELECT ${company}, n.hash, n.id, ${until}
    FROM unnest(${invited.map(({ code }) => hashSecret(code))}::bytea[], ${invited.map(({ id }) => id)}::bigint[]) AS n(hash, id)`.execute(
    tx,
  )
  return invited.map(({ email, code }) => ({ email, code }))
}

interface InvitationBatch {
  company: number
  until: string
  invited: Invited[]
}

export function defineInvitationJob(context: AppContext): void {
  context.jobs.define(JOB, async ({ company, until, invited }: InvitationBatch) => {
    const companyRecord = await context.hosts.byId(companyIdFrom('job', company))
    if (!companyRecord) return
    const realm = new AccountRealm(context, companyRecord)
    await realm.within(async (tx) => {
      for (const { email, code } of invited) await realm.notify(tx, email, invitation, { code, until: new Date(until) })
    })
  })
}

const invitation = accountNotice<{ code: string; until: Date }>(
  'resident_invited',
  ({ code, until }, { name, company, url }) => ({
    subject: say`Choose a password for your account with ${name}`,
    paragraphs: [
      say`${name} has created an account for you in its online portal. Choose a password to use it:`,
      { label: say`Choose a password`, url: url(`/sign-in?invitation=${code}`) },
      say`The link works once and expires on ${formatInstant(until, company?.timeZone ?? 'UTC')}. After that, choose “Forgot password?” on the sign-in page.`,
      say`If you do not want an online account, you can ignore this email.`,
    ],
  }),
  () => false,
)
