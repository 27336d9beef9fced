import { describe, expect, it } from 'vitest'
import { allCalls } from '../portal/server.ts'
import { areas, isArea } from '../shared/areas.ts'
import { audiencesOf, type Endpoint } from '../shared/endpoint.ts'

/**
 * Staff calls that move money or set amounts due. Each call sends the amounts that the screen shows (`basis`), so that
 * the server detects a change by another person. For each exception, a reason states why its amounts can't be outdated.
 */

const MONEY = ['transaction_management', 'manage_other_payments', 'company_setup']
const MOVES_MONEY =
  /refund|void|waive|charge\/fee|deposit|drawer|payment|arrangement|exception|bank\/(?:line|rule)|period|lockbox|autopay|rental$|give\/back|ticket\/status|dispute|fee\/rule/
const READS = /^muni\/(?:return|export|find|print|live|show)\//

const NOT_STALE: Readonly<Record<string, string>> = {
  'muni/decide/refund': 'the amount is reserved when it is requested, and the state machine takes one decision',
  'muni/agree/void': 'the same, by the owner of the drawer',
  'muni/charge/fee': 'the fee is frozen on its order, and the state machine takes one of two presses',
  'muni/waive/fee': 'the fee is frozen on its order, and the state machine takes one of two presses',
  'muni/respond/dispute': 'one answer is taken for a dispute, and no money moves',
  'muni/open/drawer': 'one drawer for each clerk: a second one is rejected',
  'muni/close/drawer': 'the clerk counts without knowing what should be there',
  'muni/take/counter/payment': 'each line carries the amount due that the clerk saw, as seenCents',
  'muni/take/card/payment': 'each line carries the amount due that the clerk saw, as seenCents',
  'muni/cancel/card/payment': 'gives up what the reader waits for: a card that was read meanwhile stays paid',
  'muni/close/period': 'what is closed is counted in the call, and a second press changes nothing',
  'muni/own/recon/exception': 'says who sees to it: no money moves',
  'muni/remove/bank/rule': 'what the rule explained stays as it is',
  'muni/transition/autopay': 'staff pause or end it, and the state machine takes one of two presses',
  'muni/propose/arrangement': 'one arrangement for an account, which begins only once its payer agrees',
  'muni/transition/arrangement': 'the terms are frozen when it is proposed, and what is owed is compared again',
  'muni/transition/lockbox/payment':
    'the state machine takes one of two presses: a payment that was posted is not sent back',
  'muni/assign/lockbox/payment': 'the amount is the bank’s own, and a payment that was posted is rejected',
  'muni/import/lockbox/file': 'a file is taken once by its digest',
  'muni/transition/rental': 'the state machine takes one of two presses, and the amount is computed in the call',
  'muni/book/rental': 'takes no money: a time that somebody else has is rejected',
  'muni/change/parking/ticket/status': 'the state machine takes one decision, and a payment under way is rejected',
  'muni/remove/fee/rule': 'only a rule that lies ahead can be removed, once',
  'muni/sign/rental': 'answers questions and signs: no money moves',
  'muni/change/general/payment/type/status': 'opens or closes a type: what is due stays due',
  'muni/create/general/payment/type': 'begins a draft',
  'muni/publish/general/payment/fields': 'what was paid keeps its version',
  'muni/add/general/payment/stock': 'adds numbers: each is given out once',
  'muni/import/general/payment/items': 'rehearsed and taken under a lock',
  'muni/create/general/payment/link': 'makes a link: the payer pays',
  'muni/send/general/payment/link': 'makes a link: the payer pays',
  'test/payment': 'outside of the ledger',
}

const shapeOf = ({ body }: Endpoint): Record<string, unknown> =>
  (body as { _zod?: { def?: { shape?: Record<string, unknown> } } })._zod?.def?.shape ?? {}

const actions = allCalls
  .map(({ endpoint }) => endpoint)
  .filter(({ path, access }) => {
    const [name, needed] = access.privilege ?? []
    // An area names the permission of the policy that it comes from.
    const [policy, permission] = name && needed && isArea(name) ? areas[name].from[needed] : [name, needed]
    return (
      audiencesOf(access).includes('municipality') &&
      MONEY.includes(policy ?? '') &&
      permission !== 'view' &&
      MOVES_MONEY.test(path) &&
      !READS.test(path) &&
      !path.startsWith('start/upload') &&
      !path.startsWith('send/upload')
    )
  })

describe('a money action of staff', () => {
  it.each(actions.map((endpoint) => [endpoint.path, endpoint] as const))(
    'sends the seen figures or cannot be stale: %s',
    (path, endpoint) => {
      const hasBasis = 'basis' in shapeOf(endpoint)
      expect(hasBasis || path in NOT_STALE).toBe(true)
      expect(hasBasis && path in NOT_STALE, 'an exception that is none any more').toBe(false)
    },
  )

  it('is found among all calls', () => {
    const paths = actions.map(({ path }) => path)
    expect(paths.length).toBeGreaterThan(35)
    for (const path of ['muni/refund/payment', 'muni/void/payment', 'muni/refund/rental', 'muni/correct/drawer'])
      expect(paths).toContain(path)
    for (const path of Object.keys(NOT_STALE)) expect(paths, 'an exception of a call that is gone').toContain(path)
  })
})
