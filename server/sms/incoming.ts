import { type RawBuilder, sql } from 'kysely'
import { formatPhone, nationalDigits } from '../../shared/phone.ts'
import { say } from '../../shared/messages.ts'
import { auditCompanyOrPlatform } from '../audit.ts'
import type { Company } from '../hosts.ts'
import type { AppContext } from '../app-context.ts'
import { noticeSenderOf } from '../notices/notify.ts'
import { companyIdFrom, type Tx } from '../tenancy.ts'
import { type KeywordMeaning, meaningOf } from './keywords.ts'
import { readSmsSettings, textName } from './settings.ts'

interface IncomingSms {
  providerId: string
  phone: string
  /** Number of the recipient, which belongs to the portal or a company. */
  to: string
  body: string
  optOutType: string | null
  requestId: string
}

const DAY_MS = 86_400_000

/**
 * Processes an incoming text message.
 * @returns the reply. Null if the portal sends no reply
 */
export async function takeIncoming(context: AppContext, incoming: IncomingSms): Promise<string | null> {
  const meaning = meaningOf(incoming.body, incoming.optOutType)
  const replies: string[] = []
  for (const id of await companiesOf(context, incoming)) {
    const company = companyIdFrom('provider-event', id)
    const reply = await context.inCompany(company, async (tx) => {
      const companyDetails = await context.hosts.byId(company, tx)
      return companyDetails ? takeFor(tx, context, companyDetails, meaning, incoming) : null
    })
    if (reply) replies.push(reply)
  }
  // If several companies share the number and more than one has a reply, the person gets only the first reply.
  if (replies.length === 0 || (meaning !== 'other' && context.sms.repliesToKeywords)) return null
  return replies[0] ?? null
}

/**
 * Returns the company of the recipient number. If several companies share the number, returns the companies that have
 * the sender's number on file.
 */
async function companiesOf(context: AppContext, { phone, to }: IncomingSms): Promise<number[]> {
  const own: RawBuilder<unknown> = sql`SELECT company_id FROM sms_settings WHERE sms_number = ${nationalDigits(to)}`
  const { rows } = await context.acrossCompanies((tx) =>
    sql<{ company_id: number }>`
      ${own}
      UNION
      SELECT k.company_id FROM (
        SELECT company_id FROM sms_number WHERE phone = ${phone} UNION SELECT company_id FROM sms_message WHERE phone = ${phone}) k
      LEFT JOIN sms_settings s ON s.company_id = k.company_id
      WHERE coalesce(s.sms_number, '') = '' AND NOT EXISTS (${own})
      ORDER BY company_id`.execute(tx),
  )
  return rows.map(({ company_id }) => company_id)
}

async function takeFor(
  tx: Tx,
  context: AppContext,
  companyDetails: Company,
  meaning: KeywordMeaning,
  incoming: IncomingSms,
) {
  const { phone, providerId, requestId } = incoming
  const company_id = companyDetails.id
  const at = context.clock.now()
  const wroteToday = await tx
    .selectFrom('sms_incoming')
    .select('at')
    .where('company_id', '=', company_id)
    .where('phone', '=', phone)
    .where('meaning', '=', 'other')
    .where('at', '>', new Date(at.getTime() - DAY_MS))
    .executeTakeFirst()
  const first = await tx
    .insertInto('sms_incoming')
    .values({ company_id, provider_id: providerId, phone, meaning, at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('at')
    .executeTakeFirst()
  if (!first) return null
  const name = textName(companyDetails, await readSmsSettings(tx, company_id))
  const companyPhone = formatPhone(nationalDigits(companyDetails.phone))
  if (meaning === 'help')
    return say`${name}: For help, visit ${noticeSenderOf(context, companyDetails).url('/')} or call ${companyPhone}. Msg & data rates may apply. Reply STOP to end.`
  if (meaning === 'other')
    return wroteToday
      ? null
      : say`${name}: No one reads texts sent to this number. Please call ${companyPhone}. Reply STOP to end.`
  const changed =
    meaning === 'stop' ? await addOptOut(tx, company_id, phone, at) : await removeOptOut(tx, company_id, phone)
  if (!changed) return null
  const action = meaning === 'stop' ? ('texts.opted_out' as const) : ('texts.resumed' as const)
  await auditCompanyOrPlatform(
    tx,
    context.clock,
    company_id,
    { session: null, requestId },
    { action, detail: { to: phone } },
  )
  return meaning === 'stop'
    ? say`${name}: You opted out and will get no further texts from us. Reply START to get them again.`
    : say`${name}: You will get texts from us again. Msg & data rates may apply. Reply STOP to end, HELP for help.`
}

const addOptOut = async (tx: Tx, company_id: number, phone: string, at: Date): Promise<boolean> =>
  (await tx
    .insertInto('sms_opt_out')
    .values({ company_id, phone, at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('at')
    .executeTakeFirst()) !== undefined

const removeOptOut = async (tx: Tx, company_id: number, phone: string): Promise<boolean> =>
  (
    await tx
      .deleteFrom('sms_opt_out')
      .where('company_id', '=', company_id)
      .where('phone', '=', phone)
      .executeTakeFirstOrThrow()
  ).numDeletedRows > 0n
