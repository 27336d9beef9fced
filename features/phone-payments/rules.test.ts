import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  paymentStarted,
  requestPin,
  greet,
  hear,
  isEasyPin,
  type Open,
  outcomeOf,
  proven,
  quoted,
  reportPayment,
  type CallStep,
} from './rules.ts'

/** Tests the call dialog without a telephone or the portal: keypad input, spoken messages and the order of steps. */

const card = { id: 1, method: 1, methodLabel: 'Visa ending 4242' } as const
const bank = { id: 2, method: 2, methodLabel: 'Checking account ending 6789' } as const
const open: Open = {
  payable: { kind: 'utility', id: 7, reference: '100001' },
  person: 3,
  owedCents: 149_31,
  takesCredit: true,
  inFull: false,
  methods: [card, bank],
  limits: { minCents: 5_00, maxCents: 1500_00 },
}
const QUOTE = { billCents: 25_00, feeCents: 1_50, absorbedFeeCents: 0, totalCents: 26_50 }
const stepOf = (heard: ReturnType<typeof hear>): CallStep => {
  if ('query' in heard) throw new Error(`the portal is asked: ${heard.query}`)
  return heard
}
const spoken = ({ text }: CallStep) => text.join(' ')
const provenStep = proven(requestPin(greet('Maple Grove'), open.payable), open)

test('offers the due installment on one key', () => {
  const byPlan = proven(requestPin(greet('Maple Grove'), open.payable), {
    ...open,
    methods: [card],
    installment: { cents: 50_00, on: '2026-12-05' },
  })
  expect(spoken(byPlan)).toContain('To pay the installment of $50.00 that is due on December 5, 2026, press 3.')
  expect(hear(byPlan, '3')).toMatchObject({ query: 'quote', cents: 50_00 })
  expect(hear(byPlan, '1')).toMatchObject({ query: 'quote', cents: 149_31 })
  expect(spoken(stepOf(hear(provenStep, '3')))).toContain('We did not understand your entry.')
})

test('asks for the charge only after the total and a 1', () => {
  expect(hear(greet('Maple Grove'), '100001')).toEqual({ query: 'find', digits: '100001' })
  expect(spoken(provenStep)).toContain('$149.31 on account 1 0 0 0 0 1')
  const typing = stepOf(hear(provenStep, '2'))
  const method = stepOf(hear(typing, '25*00'))
  expect(spoken(method)).toContain('To pay with Checking account ending 6789, press 2.')
  const quoteQuestion = hear(method, '1')
  if (!('query' in quoteQuestion) || quoteQuestion.query !== 'quote') throw new Error('a fee is asked for')
  const confirm = quoted(quoteQuestion, QUOTE)
  expect(spoken(confirm)).toContain('A fee of $1.50 will be added. The total is $26.50.')
  expect(hear(confirm, '1')).toMatchObject({ query: 'pay', cents: 25_00, chosenMethod: card, quote: QUOTE })
  expect(outcomeOf(stepOf(hear(confirm, '2')))).toBe('left')
  expect(stepOf(hear(confirm, '9')).stage).toEqual(confirm.stage)
})

test('applies the company’s limits and explains missing balances or methods', () => {
  const typing = stepOf(hear(provenStep, '2'))
  expect(spoken(stepOf(hear(typing, '100')))).toContain('The minimum amount is $5.00.')
  expect(spoken(stepOf(hear(typing, '99999999')))).toContain('The maximum amount is $1,500.00.')
  const whole = proven(provenStep, { ...open, inFull: true })
  expect(spoken(stepOf(hear(whole, '2')))).toContain('We did not understand your entry.')
  expect(spoken(proven(provenStep, { ...open, owedCents: 0 }))).toContain('No amount is due')
  expect(spoken(proven(provenStep, { ...open, methods: [] }))).toContain('You have no saved card or bank account')
})

test('offers another method after a decline and ends a long wait', () => {
  const paying = paymentStarted({ query: 'pay', open, cents: 25_00, chosenMethod: card, quote: QUOTE }, 'P12')
  if (paying.stage.at !== 'paying') throw new Error('it is being paid')
  expect(reportPayment(paying.stage, 'declined').stage.at).toBe('method')
  expect(spoken(reportPayment(paying.stage, 'paid'))).toContain('confirmation number is P 1 2')
  let step: CallStep = paying
  for (let moments = 0; step.stage.at === 'paying'; moments++) {
    expect(moments).toBeLessThan(10)
    step = reportPayment(step.stage, 'working')
  }
  expect(outcomeOf(step)).toBe('unknown')
})

test('always ends and charges nothing without a stated total', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[0-9*]{0,8}$/), { minLength: 60, maxLength: 60 }), (keys) => {
      let step = greet('Maple Grove')
      for (const keyed of keys) {
        const heard = hear(step, keyed)
        if (!('query' in heard)) step = heard
        else if (heard.query === 'find') step = requestPin(step, open.payable)
        else if (heard.query === 'prove') step = proven(step, heard.pin === '481516' ? open : 'invalid')
        else if (heard.query === 'quote')
          step = quoted(heard, { ...QUOTE, billCents: heard.cents, totalCents: heard.cents })
        else if (heard.query === 'look') step = reportPayment(heard.stage, 'working')
        else {
          expect(step.stage.at).toBe('confirm')
          expect(spoken(step)).toContain('To pay, press 1.')
          step = paymentStarted(heard, 'P1')
        }
        expect(step.misses).toBeLessThan(3)
      }
    }),
    { numRuns: process.env['NIGHTLY'] ? 2000 : 100 },
  )
})

test('rejects easy PINs', () => {
  expect(['111111', '123456', '098765'].filter(isEasyPin)).toHaveLength(3)
  expect(['481516', '112233'].some(isEasyPin)).toBe(false)
})
