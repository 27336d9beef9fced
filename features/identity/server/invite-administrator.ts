import { auditPlatform } from '../../../server/audit.ts'
import type { Clock } from '../../../server/clock.ts'
import { type Config, originOf } from '../../../server/config.ts'
import type { Pools } from '../../../server/db/pool.ts'
import { hashSecret, newSecret } from '../../../server/sessions.ts'
import { outsideCompanies } from '../../../server/tenancy.ts'
import { roles } from '../../../shared/privileges.ts'
import { credentials } from '../../../shared/accounts.ts'
import { EMAIL_INVALID } from '../../../shared/email.ts'

const INVITATION_HOURS = 24

/** Error if an invitation is refused. The message is one line for the command line. */
export class InvitationRefused extends Error {}

/**
 * Creates a super administrator, or finds the platform account of this email. Returns a single-use link that sets the
 * password within 24 hours. The function checks no permissions, because only people with command line access can call
 * it.
 * @throws InvitationRefused if the email is not valid
 */
export async function inviteAdministrator(
  { db, clock, config }: { db: Pick<Pools, 'platform'>; clock: Clock; config: Pick<Config, 'publicUrl'> },
  email: string,
): Promise<string> {
  const parsed = credentials.shape.email.safeParse(email)
  if (!parsed.success) throw new InvitationRefused(parsed.error.issues[0]?.message ?? EMAIL_INVALID)
  const code = newSecret()
  const now = clock.now()
  await outsideCompanies(db.platform)(async (tx) => {
    const lower = tx.fn<string>('lower', ['email'])
    await tx
      .insertInto('platform_person')
      .values({
        email: parsed.data,
        password_hash: null,
        role_id: roles.superAdministrator,
        first_name: 'Platform',
        last_name: 'Administrator',
      })
      .onConflict((c) => c.expression(lower).doNothing())
      .execute()
    const person = await tx
      .selectFrom('platform_person')
      .select('id')
      .where(lower, '=', parsed.data.toLowerCase())
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('platform_invitation')
      .values({
        code_hash: hashSecret(code),
        person_id: person.id,
        expires_at: new Date(now.getTime() + INVITATION_HOURS * 3_600_000),
        used_at: null,
      })
      .execute()
    const actor = { session: null, requestId: '' }
    await auditPlatform(tx, clock, actor, {
      action: 'administrator.invited',
      subject: { kind: 'person', id: person.id },
    })
  })
  return `${originOf(config, 'admin')}/admin/sign-in?invitation=${code}`
}
