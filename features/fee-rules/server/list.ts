import { sql } from 'kysely'
import { signedIn } from '../../../server/call.ts'
import { implementList } from '../../../server/list.ts'
import { may } from '../../../shared/privileges.ts'
import { say, translated } from '../../../shared/messages.ts'
import { brands, breaches, channels, type FeeRule, type NetworkRule } from '../../payments/rules-fees.ts'
import { dateIn } from '../../../shared/dates.ts'
import { ruleIn } from '../../payments/api.ts'
import { feeRules } from '../list.ts'
import { cardLabel, termsText } from '../rules.ts'
import { feeKinds, networkRules } from './book.ts'

interface FeeRuleContext {
  networks: NetworkRule[]
  kinds: Map<string, string>
}

/** First day of the next rule with the same scope. The earlier rule ends on the day before. */
const NEXT = sql`(SELECT min(n.valid_from) FROM fee_rule n WHERE n.company_id = r.company_id AND n.method = r.method AND n.valid_from > r.valid_from
  AND (n.kind, n.channel, n.brand, n.funding) IS NOT DISTINCT FROM (r.kind, r.channel, r.brand, r.funding))`
const statusOn = (today: string) =>
  sql`CASE WHEN r.valid_from > ${today}::date THEN 'ahead' WHEN ${NEXT} <= ${today}::date THEN 'past' ELSE 'in_force' END`

export const feeRuleCalls = implementList(feeRules, {
  table: ({ call }) => {
    const today = dateIn(call.company.timeZone, call.context.clock.now())
    return sql`(SELECT r.*, ${NEXT} - 1 AS valid_to, ${statusOn(today)} AS standing FROM fee_rule r WHERE r.company_id = ${call.company.id})`
  },
  unindexed: { all: 'A municipality has only a few dozen rules.' },
  columns: {
    validFrom: 'valid_from',
    validTo: 'valid_to',
    paid: sql`''`,
    method: 'method',
    channel: 'channel',
    card: sql`''`,
    fee: sql`''`,
    status: 'standing',
    against: sql`''`,
    madeBy: 'made_by',
  },
  filters: {
    status: (status) => sql`r.standing = ${status}`,
    channel: (channel) => sql`r.channel = ${channel}`,
  },
  hidden: { rule: ruleIn('r') },
  lookup: async (_rows, _query, tx) => ({
    networks: await networkRules(tx),
    kinds: new Map(feeKinds().map(({ kind, label }) => [kind, label])),
  }),
  row: ({ status }, call, hidden) => {
    const { rule, lookup } = hidden as unknown as { rule: FeeRule; lookup: FeeRuleContext }
    const today = dateIn(call.company.timeZone, call.context.clock.now())
    const against =
      status === 'past' ? [] : breaches(rule, lookup.networks, today > rule.validFrom ? today : rule.validFrom)
    const mayEdit = status === 'ahead' && may(signedIn(call).privileges, 'fees', 'update')
    return {
      paid: rule.kind === null ? say`Items without their own rule` : (lookup.kinds.get(rule.kind) ?? rule.kind),
      channel: rule.channel === null ? say`All` : translated(channels[rule.channel]),
      card: cardLabel(rule),
      fee: termsText(rule),
      against: [...new Set(against.map(({ rule: { network } }) => brands[network]))].join(', '),
      can: { view: true, remove: mayEdit },
    }
  },
})
