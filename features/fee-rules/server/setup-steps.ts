import { hasRow } from '../../../server/db/rows.ts'
import { defineSetupStep } from '../../../server/setup.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import { defaultRules, ruleIn, writeFeeRules } from '../../payments/api.ts'
import { type FeeBook, feeOf, quoteOf } from '../../payments/rules-fees.ts'
import { methods, ONLINE } from '../../payments/rules.ts'

const EXAMPLE = 10_000
const usualFee = (method: number) =>
  formatCents(Math.max(...defaultRules.filter((rule) => rule.method === method).map((rule) => feeOf(rule, EXAMPLE))))

/** Describes the online fees of the rules for all kinds of payments. */
function chargedFees(book: FeeBook, on: string): string {
  const [card = 0, echeck = 0] = [methods.card, methods.echeck].map(
    (method) => quoteOf(book, { on, kind: '', method, location: ONLINE }, EXAMPLE).feeCents,
  )
  return card === 0 && echeck === 0
    ? say`Residents pay no fees online.`
    : say`For ${formatCents(EXAMPLE)} online, residents pay a fee of ${formatCents(card)} by card and ${formatCents(echeck)} by eCheck.`
}

export const feeSteps = [
  defineSetupStep({
    ...{ key: 'fees', title: 'Fees', isRequired: true, area: 'fees', path: '?section=fees' },
    modules: ['utilities', 'bills', 'parking', 'rentals'],
    choices: { usual: 'Charge the usual fees', none: 'Charge no fees' },
    choose: async (tx, { company, name, at }, choice) => {
      if (choice === 'usual' && !(await hasRow(tx, 'fee_rule', { company_id: company.id })))
        await writeFeeRules(tx, company.id, defaultRules, { at, by: name })
    },
    status: async (tx, { company, today, choice }) => {
      const rows = await tx
        .selectFrom('fee_rule')
        .select(['made_by', ruleIn('fee_rule').as('rule')])
        .where('company_id', '=', company.id)
        .execute()
      const book = rows.map(({ rule }) => rule)
      if (choice !== null || rows.some(({ made_by }) => made_by !== ''))
        return { state: 'done', detail: chargedFees(book, today) }
      if (rows.length > 0) return { state: 'started', detail: say`Check the fees that are charged now.` }
      const example = formatCents(EXAMPLE)
      return {
        state: 'to_do',
        detail: say`No fee is charged yet. The usual fee for ${example} is ${usualFee(methods.card)} by card and ${usualFee(methods.echeck)} by eCheck.`,
      }
    },
  }),
]
