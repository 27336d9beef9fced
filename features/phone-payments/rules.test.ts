import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  begun,
  found,
  greet,
  hear,
  isEasyPin,
  type Open,
  outcomeOf,
  proven,
  quoted,
  settled,
  type CallStep,
} from './rules.ts'

/** The conversation without telephone and portal: what is keyed, what is said, and what may be asked when. */

const card = { id: 1, method: 1, means: 'Visa ending 4242' } as const
const bank = { id: 2, method: 2, means: 'Checking account ending 6789' } as const
const open: Open = {
  thing: { kind: 'utility', id: 7, reference: '100001' },
  person: 3,
  owedCents: 149_31,
  takesCredit: true,
  inFull: false,
  ways: [card, bank],
  limits: { minCents: 5_00, maxCents: 1500_00 },
}
const QUOTE = { billCents: 25_00, feeCents: 1_50, absorbedFeeCents: 0, totalCents: 26_50 }
const turnOf = (heard: ReturnType<typeof hear>): CallStep => {
  if ('ask' in heard) throw new Error(`the portal is asked: ${heard.ask}`)
  return heard
}
const spoken = ({ says }: CallStep) => says.join(' ')
const known = proven(found(greet('Maple Grove'), open.thing), open)

test('who pays by installments hears what is due of them, and pays that with one key', () => {
  const byPlan = proven(found(greet('Maple Grove'), open.thing), {
    ...open,
    ways: [card],
    installment: { cents: 50_00, on: '2026-12-05' },
  })
  expect(spoken(byPlan)).toContain('To pay the installment of $50.00 that is due on December 5, 2026, press 3.')
  expect(hear(byPlan, '3')).toMatchObject({ ask: 'quote', cents: 50_00 })
  expect(hear(byPlan, '1')).toMatchObject({ ask: 'quote', cents: 149_31 })
  expect(spoken(turnOf(hear(known, '3')))).toContain('That was not understood.')
})

test('the balance is said, an amount keyed, a way chosen, fee and total told, and only a 1 asks for the charge', () => {
  expect(hear(greet('Maple Grove'), '100001')).toEqual({ ask: 'find', digits: '100001' })
  expect(spoken(known)).toContain('$149.31 on account 1 0 0 0 0 1')
  const typing = turnOf(hear(known, '2'))
  const method = turnOf(hear(typing, '25*00'))
  expect(spoken(method)).toContain('To pay by Checking account ending 6789, press 2.')
  const asked = hear(method, '1')
  if (!('ask' in asked) || asked.ask !== 'quote') throw new Error('a fee is asked for')
  const confirm = quoted(asked, QUOTE)
  expect(spoken(confirm)).toContain('A fee of $1.50 is added. Together that is $26.50.')
  expect(hear(confirm, '1')).toMatchObject({ ask: 'pay', cents: 25_00, way: card, quote: QUOTE })
  expect(outcomeOf(turnOf(hear(confirm, '2')))).toBe('left')
  expect(turnOf(hear(confirm, '9')).stage).toEqual(confirm.stage)
})

test('amounts are the town’s, what is paid whole is not asked for a part, and who owes nothing or keeps nothing hears so', () => {
  const typing = turnOf(hear(known, '2'))
  expect(spoken(turnOf(hear(typing, '100')))).toContain('The smallest amount is $5.00.')
  expect(spoken(turnOf(hear(typing, '99999999')))).toContain('The largest amount is $1,500.00.')
  const whole = proven(known, { ...open, inFull: true })
  expect(spoken(turnOf(hear(whole, '2')))).toContain('That was not understood.')
  expect(spoken(proven(known, { ...open, owedCents: 0 }))).toContain('Nothing is owed')
  expect(spoken(proven(known, { ...open, ways: [] }))).toContain('No card or bank account is kept')
})

test('a decline leads to another way, and who waits too long is told that a mail comes', () => {
  const paying = begun({ ask: 'pay', open, cents: 25_00, way: card, quote: QUOTE }, 'P12')
  if (paying.stage.at !== 'paying') throw new Error('it is being paid')
  expect(settled(paying.stage, 'declined').stage.at).toBe('method')
  expect(spoken(settled(paying.stage, 'paid'))).toContain('confirmation number is P 1 2')
  let turn: CallStep = paying
  for (let moments = 0; turn.stage.at === 'paying'; moments++) {
    expect(moments).toBeLessThan(10)
    turn = settled(turn.stage, 'working')
  }
  expect(outcomeOf(turn)).toBe('unknown')
})

test('whatever is keyed, a call ends, and nothing is charged that was not said with its total before', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[0-9*]{0,8}$/), { minLength: 60, maxLength: 60 }), (keys) => {
      let turn = greet('Maple Grove')
      for (const keyed of keys) {
        const heard = hear(turn, keyed)
        if (!('ask' in heard)) turn = heard
        else if (heard.ask === 'find') turn = found(turn, open.thing)
        else if (heard.ask === 'prove') turn = proven(turn, heard.pin === '481516' ? open : 'wrong')
        else if (heard.ask === 'quote')
          turn = quoted(heard, { ...QUOTE, billCents: heard.cents, totalCents: heard.cents })
        else if (heard.ask === 'look') turn = settled(heard.stage, 'working')
        else {
          expect(turn.stage.at).toBe('confirm')
          expect(spoken(turn)).toContain('To pay, press 1.')
          turn = begun(heard, 'P1')
        }
        expect(turn.misses).toBeLessThan(3)
      }
    }),
    { numRuns: process.env['NIGHTLY'] ? 2000 : 100 },
  )
})

test('a PIN that is guessed first is none', () => {
  expect(['111111', '123456', '098765'].filter(isEasyPin)).toHaveLength(3)
  expect(['481516', '112233'].some(isEasyPin)).toBe(false)
})
