import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { csvDollars, implementCsv } from '../../../server/csv.ts'
import { defineRenderer } from '../../../server/render.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { plainDollars } from '../../../shared/money.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { methods } from '../../payments/rules.ts'
import {
  exportForm1099k,
  type Figures,
  form1099k,
  printForm1099k,
  type ReportedAmounts,
  saveForm1099k,
} from '../contract.ts'
import { boxOfMonth, reportedCents, type Month, months } from '../rules.ts'
import type { form1099kPdf } from './form-1099k-pdf.ts'
import { figuresOf, voidedOf, yearOf } from './gross.ts'
import { processorOf } from './processor.ts'

type Form = ResponseOf<typeof form1099k>

async function reportedIn(tx: Tx, company: CompanyId, year: number) {
  const row = await tx
    .selectFrom('form_1099k')
    .selectAll()
    .where('company_id', '=', company)
    .where('year', '=', year)
    .executeTakeFirst()
  if (!row) return null
  const amounts = months.map((month, n) => [month, plainDollars(row.month_cents[n] ?? 0)] as const)
  const form: ReportedAmounts = {
    ...{ filer: row.filer, payee: row.payee, tinLast4: row.tin_last4 },
    ...{ gross: plainDollars(row.gross_cents), notPresent: plainDollars(row.not_present_cents) },
    transactions: String(row.transactions),
    ...(Object.fromEntries(amounts) as Record<Month, string>),
  }
  return { form, figures: figuresIn(form), savedAt: row.saved_at.toISOString(), savedBy: row.saved_by }
}

/** Converts the amounts that staff entered to numbers. */
const figuresIn = (form: ReportedAmounts): Figures => ({
  grossCents: reportedCents(form.gross),
  notPresentCents: reportedCents(form.notPresent),
  transactions: Number(form.transactions),
  monthCents: months.map((month) => reportedCents(form[month])),
})

/** Normalizes amounts, so that an amount written in two ways causes no edit conflict. */
const tidy = (form: ReportedAmounts): ReportedAmounts => {
  const figures = figuresIn(form)
  return {
    ...form,
    gross: plainDollars(figures.grossCents),
    notPresent: plainDollars(figures.notPresentCents),
    transactions: String(figures.transactions),
    ...(Object.fromEntries(months.map((month, n) => [month, plainDollars(figures.monthCents[n] ?? 0)])) as Record<
      Month,
      string
    >),
  }
}

async function formOf(tx: Tx, { company }: Pick<Call, 'company'>, year: number): Promise<Omit<Form, 'mayChange'>> {
  const rows = await yearOf(tx, company, year)
  return {
    year,
    payee: company.name,
    provider: (await processorOf(tx, company.id)).name,
    ledger: figuresOf(rows, methods.card),
    echecks: figuresOf(rows, methods.echeck),
    voided: voidedOf(rows),
    reported: await reportedIn(tx, company.id, year),
  }
}

const form1099kCall = implement(form1099k, (call) =>
  call.reading(async (tx) => ({
    ...(await formOf(tx, call, call.body.year)),
    mayChange: may(signedIn(call).privileges, 'merchant_reports', 'update'),
  })),
)

const saveForm1099kCall = implement(saveForm1099k, (call) => {
  const { companyId: _named, basis, year, ...typed } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    await sql`SELECT FROM payment_settings WHERE company_id = ${company} FOR UPDATE`.execute(tx)
    const before = (await reportedIn(tx, company, year))?.form ?? NOTHING
    const { after, isChanged } = await applyEdit<ReportedAmounts>(editBy(tx, call, `form_1099k ${year}`), {
      ...{ basis, own: tidy(typed), before },
    })
    if (isChanged) {
      const { grossCents, notPresentCents, transactions, monthCents } = figuresIn(after)
      const row = {
        ...{ filer: after.filer, payee: after.payee, tin_last4: after.tinLast4, transactions },
        ...{ gross_cents: grossCents, not_present_cents: notPresentCents, month_cents: JSON.stringify(monthCents) },
        ...{ saved_at: call.context.clock.now(), saved_by: callerName(call) },
      }
      await tx
        .insertInto('form_1099k')
        .values({ company_id: company, year, ...row })
        .onConflict((on) => on.columns(['company_id', 'year']).doUpdateSet(row))
        .execute()
      await call.audit(tx, { action: 'payment_form.saved', detail: { year, before, after } })
    }
    return { success: true as const, message: say`The reported amounts for ${String(year)} were saved.` }
  })
})

/** Amounts of a year for which staff have entered nothing. */
const NOTHING: ReportedAmounts = {
  ...{ filer: '', payee: '', tinLast4: '', gross: '0.00', notPresent: '0.00', transactions: '0' },
  ...(Object.fromEntries(months.map((month) => [month, '0.00'])) as Record<Month, string>),
}

const documentsPerPerson = defineLimit('form-1099k', { max: 60, after: 'pause' })

const render = defineRenderer<Parameters<typeof form1099kPdf>>(new URL('./form-1099k-thread.ts', import.meta.url))

const printForm1099kCall = implement(printForm1099k, async (call) => {
  const { company, body, context } = call
  const limitKey = `${company.id}/${signedIn(call).personId}`
  await countAttempt(context, [documentsPerPerson(limitKey)])
  const form = await call.inCompany(async (tx) => {
    await call.audit(tx, { action: 'export.form_1099k', detail: { year: body.year, as: 'pdf' } })
    return formOf(tx, call, body.year)
  })
  const pdf = await render(limitKey, company, form, context.clock.now())
  return { name: `form-1099k-${body.year}.pdf`, contentType: 'application/pdf', stream: Readable.from([pdf]) }
})

/** Exports a row for each box of Form 1099-K, and for the eChecks of each month, which no box includes. */
const exportForm1099kCall = implementCsv(exportForm1099k, async (call) => {
  const { company, body } = call
  const { ledger, echecks, reported } = await call.inCompany(async (tx) => {
    await call.audit(tx, { action: 'export.form_1099k', detail: { year: body.year, as: 'csv' } })
    return formOf(tx, call, body.year)
  })
  const rows = [
    { box: '1a', of: say`Gross amount`, values: [ledger, echecks, reported?.figures].map((one) => one?.grossCents) },
    {
      box: '1b',
      of: say`Card not present`,
      values: [ledger, echecks, reported?.figures].map((one) => one?.notPresentCents),
    },
    ...months.map((_, n) => ({
      box: boxOfMonth(n),
      of: `${body.year}-${String(n + 1).padStart(2, '0')}`,
      values: [ledger, echecks, reported?.figures].map((one) => one?.monthCents[n]),
    })),
  ].map(({ box, of, values: [card = 0, echeck = 0, reportedValue = null] }, n) => ({
    n,
    box,
    of,
    card,
    echeck,
    paper: reportedValue,
  }))
  const counts = {
    card: ledger.transactions,
    echeck: echecks.transactions,
    paper: reported?.figures.transactions ?? null,
  }
  const question = sql`
    SELECT box AS "Box", what AS "Description", card AS "Ledger", paper AS "Reported by the provider", differs AS "Difference", echeck AS "eChecks, not in the form"
    FROM (
      SELECT n::numeric, box, "of" AS what, ${csvDollars('card')} AS card, ${csvDollars('paper')} AS paper, ${csvDollars(sql`paper - card`)} AS differs,
        ${csvDollars('echeck')} AS echeck
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(n int, box text, "of" text, card bigint, echeck bigint, paper bigint)
      UNION ALL SELECT 1.5, '3', ${say`Number of payments`}, card::text, paper::text, (paper - card)::text, echeck::text
      FROM jsonb_to_record(${JSON.stringify(counts)}::jsonb) AS x(card bigint, echeck bigint, paper bigint)) f
    ORDER BY n`
  return { company, subject: `form-1099k-${body.year}`, question }
})

export const form1099kCalls = [form1099kCall, saveForm1099kCall, printForm1099kCall, exportForm1099kCall]
