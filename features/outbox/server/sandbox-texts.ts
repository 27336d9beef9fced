import { sql } from 'kysely'
import { auditPlatform } from '../../../server/audit.ts'
import { implement } from '../../../server/call.ts'
import { implementList } from '../../../server/list.ts'
import { textFromPhone } from '../../../server/sms/sandbox.ts'
import { toE164 } from '../../../server/sms/settings.ts'
import { formatPhone, nationalDigits } from '../../../shared/phone.ts'
import { textFromSandbox } from '../contract.ts'
import { sandboxTexts } from '../list.ts'
import { inDemoAlone } from './demo-only.ts'

const isToPhone = sql`r.direction = 'to phone'`

export const textListCalls = implementList(sandboxTexts, {
  before: ({ context }) => inDemoAlone(context),
  table: sql`sandbox_sms`,
  unindexed: { all: 'Only the demo has this list, and it contains few texts.' },
  columns: {
    at: 'at',
    body: 'body',
    phone: sql`CASE WHEN ${isToPhone} THEN r.to_number ELSE r.from_number END`,
    direction: 'direction',
    status: 'status',
    error: 'error_code',
    portal: sql`CASE WHEN ${isToPhone} THEN r.from_number ELSE r.to_number END`,
  },
  search: sql`lower(concat_ws(' ', r.to_number, r.from_number, r.body))`,
  row: ({ phone, portal }) => ({
    phone: formatPhone(nationalDigits(phone)),
    portal: formatPhone(nationalDigits(portal)),
    can: { view: true },
  }),
})

export const textFromSandboxCall = implement(textFromSandbox, async (call) => {
  const { context, body } = call
  inDemoAlone(context)
  await textFromPhone(context, toE164(body.phone), toE164(body.to), body.text)
  await context.acrossCompanies((tx) =>
    auditPlatform(tx, context.clock, call, { action: 'texts.sandbox', detail: { from: body.phone } }),
  )
  return { success: true as const, message: 'The text was sent to the portal.' }
})
