import { sql } from 'kysely'
import { implementList } from '../../../server/list.ts'
import { formatPhone, nationalDigits } from '../../../shared/phone.ts'
import { sandboxCalls } from '../list.ts'
import { inDemoAlone } from './demo-only.ts'

/** SQL for the text that the call played. Before someone answers the call, the planned text. */
const heardText = sql`CASE WHEN r.heard <> '' THEN r.heard
  ELSE (SELECT string_agg(piece->>'text', ' ') FROM jsonb_array_elements(r.content) AS piece) END`

export const callListCalls = implementList(sandboxCalls, {
  before: ({ context }) => inDemoAlone(context),
  table: sql`sandbox_call`,
  unindexed: { all: 'Only the demo has this list, and it contains few calls.' },
  columns: {
    at: 'at',
    phone: 'to_number',
    status: sql`CASE WHEN r.status IN ('completed', 'busy', 'no-answer', 'failed') THEN r.status ELSE 'queued' END`,
    answeredBy: 'answered_by',
    pressed: 'pressed',
    seconds: 'seconds',
    text: heardText,
    portal: 'from_number',
  },
  search: sql`lower(concat_ws(' ', r.to_number, r.from_number, r.content::text))`,
  row: ({ phone, portal }) => ({
    phone: formatPhone(nationalDigits(phone)),
    portal: formatPhone(nationalDigits(portal)),
    can: { view: true },
  }),
})
