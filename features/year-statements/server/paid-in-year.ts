import { Readable } from 'node:stream'
import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { defineRenderer } from '../../../server/render.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { paidInYear, printPaidInYear } from '../contract.ts'
import { YEARS } from '../rules.ts'
import { type PaidInYearResponse, paidOf } from './paid.ts'
import type { statementPdf } from './statement-pdf.ts'

async function statementOf(tx: Tx, call: Call, wanted: number | undefined): Promise<PaidInYearResponse> {
  const { company, context } = call
  const thisYear = Number(dateIn(company.timeZone, context.clock.now()).slice(0, 4))
  const year = wanted ?? thisYear
  return {
    year,
    years: Array.from({ length: YEARS }, (_, n) => thisYear - n),
    payer: callerName(call),
    ...(await paidOf(tx, { company, person: signedIn(call).personId, year })),
  }
}

const paidInYearCall = implement(paidInYear, (call) => call.reading((tx) => statementOf(tx, call, call.body.year)))

/** Rate limit for yearly statements. It is high enough for a person who downloads the statements of several years. */
const statementsPerPerson = defineLimit('year-statements', { max: 40, after: 'pause' })

const render = defineRenderer<Parameters<typeof statementPdf>>(new URL('./statement-thread.ts', import.meta.url))

const printPaidInYearCall = implement(printPaidInYear, async (call) => {
  const { company, body, context } = call
  const personKey = `${company.id}/${signedIn(call).personId}`
  await countAttempt(context, [statementsPerPerson(personKey)])
  const paid = await call.inCompany(async (tx) => {
    await call.audit(tx, { action: 'payment_statement.printed', detail: { year: body.year } })
    return statementOf(tx, call, body.year)
  })
  const pdf = await render(personKey, company, paid, context.clock.now())
  return { name: `paid-in-${body.year}.pdf`, contentType: 'application/pdf', stream: Readable.from([pdf]) }
})

export const paidInYearCalls = [paidInYearCall, printPaidInYearCall]
