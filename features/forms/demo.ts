import { sql } from 'kysely'
import { randomFrom } from '../../database/random.ts'
import type { DemoCompany, Household } from '../../database/towns/town.ts'
import { loadCompanyDetails, type Demo, type DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, midnightIn } from '../../shared/dates.ts'
import { writeHistory } from '../payments/demo-rows.ts'
import { settingsOf } from '../payments/api.ts'
import { type DemoForm, demoForms, companyForms } from './demo-forms.ts'
import { addPdf } from './demo-pdf.ts'
import { type CreatedType, type DemoHistoryRow, makeSubmissions } from './demo-submissions.ts'
import { slugOf, type TypeForm } from './rules.ts'
import { FIELDS_KIND, rowOf } from './server/change-types.ts'
import { formPayable } from './server/payable.ts'

const DAYS = 365

async function writeTypes(
  tx: Tx,
  company: CompanyId,
  chosenForms: readonly DemoForm[],
  began: Date,
): Promise<CreatedType[]> {
  const departments = await tx
    .selectFrom('department')
    .select(['id', 'name'])
    .where('company_id', '=', company)
    .execute()
  const forms = chosenForms.map(({ form, department }): TypeForm => ({
    ...form,
    departmentId: departments.find(({ name }) => name.includes(department))?.id ?? null,
  }))
  const sets = await tx
    .insertInto('field_set')
    .values(
      chosenForms.map(({ form, definition }) => ({
        company_id: company,
        kind: FIELDS_KIND,
        name: form.title,
        draft: JSON.stringify(definition),
        latest_version: 1,
        created_at: began,
        updated_at: began,
      })),
    )
    .returning('id')
    .execute()
  await tx
    .insertInto('field_set_version')
    .values(
      chosenForms.map(({ definition }, at) => ({
        company_id: company,
        field_set_id: sets[at]?.id ?? 0,
        version: 1,
        definition: JSON.stringify(definition),
        published_at: began,
        published_by: 'Mainstreet',
      })),
    )
    .execute()
  const types = await tx
    .insertInto('form_type')
    .values(
      forms.map((form, at) => ({
        ...rowOf(form),
        company_id: company,
        status: 'published' as const,
        slug: slugOf(form.title),
        field_set_id: sets[at]?.id ?? 0,
        created_at: began,
        changed_at: began,
      })),
    )
    .returning('id')
    .execute()
  await sql`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name)
    SELECT company_id, 'form_type', id, 1, '', 'draft', 'create', created_at, 'system', NULL::bigint, 'Mainstreet' FROM form_type WHERE company_id = ${company}
    UNION ALL SELECT company_id, 'form_type', id, 2, 'draft', 'published', 'publish', created_at, 'system', NULL, 'Mainstreet' FROM form_type
      WHERE company_id = ${company}`.execute(tx)
  return chosenForms.map((of, at) => ({
    of,
    form: forms[at] as TypeForm,
    id: types[at]?.id ?? 0,
    fieldSet: sets[at]?.id ?? 0,
  }))
}

async function peopleOf(tx: Tx, company: CompanyId, subdomain: string) {
  const { rows } = await sql<{ id: number; name: string; email: string; staff: boolean }>`
    SELECT id, trim(first_name || ' ' || last_name) AS name, email, role_id >= 3 AS staff FROM person
    WHERE company_id = ${company} AND (role_id BETWEEN 3 AND 5 AND is_active = 1 AND locked_at IS NULL OR email = ${`resident@${subdomain}.example`})
    ORDER BY id`.execute(tx)
  return { staff: rows.filter((row) => row.staff), resident: rows.find((row) => !row.staff) }
}

/** Title of the demo form with a PDF. The company used this PDF before it had the portal. */
const WITH_PDF = 'Records request'

async function addForms(
  tx: Tx,
  demo: Demo,
  demoCompany: DemoCompany,
  company: CompanyId,
  households: readonly Household[],
) {
  const has = companyForms[demoCompany.company.subdomain]
  if (!has) return
  const { timeZone } = await loadCompanyDetails(tx, company)
  const now = demo.clock.now()
  const began = midnightIn(timeZone, addDays(dateIn(timeZone, now), -DAYS - 30))
  const random = randomFrom(demoCompany.seed + 85)
  const { fees } = await settingsOf(tx, company)
  const types = await writeTypes(
    tx,
    company,
    demoForms.filter(({ form }) => has.titles(form.title)),
    began,
  )
  for (const { id, of } of types.filter(({ form }) => form.title === WITH_PDF))
    await addPdf(
      tx,
      demo,
      company,
      demoCompany.company.companyName,
      { id, title: WITH_PDF, definition: of.definition },
      began,
    )
  const people = await peopleOf(tx, company, demoCompany.company.subdomain)
  const source = { types, share: has.share, households, ...people, fees, timeZone, now }
  const { rows, rounds, history, orders, payables, lastNumbers } = makeSubmissions(source, random)
  await writeRows(tx, company, rows, rounds, history)
  await tx
    .insertInto('form_number')
    .values([...lastNumbers].map(([year, last]) => ({ company_id: company, year, last })))
    .execute()
  await writeHistory(tx, company, fees, orders, payables)
  await sql`
    INSERT INTO form_settlement (company_id, submission_id, order_id, line_no, source, source_ref, kind, amount_cents, at)
    SELECT l.company_id, l.payable_id, l.order_id, l.line_no, t.source, t.source_ref, 'credit', t.amount_cents, t.at
    FROM payment_order_line l JOIN ledger_transfer t ON t.company_id = l.company_id AND t.order_id = l.order_id
    WHERE l.company_id = ${company} AND l.kind = ${formPayable.kind} AND t.credit_account = 'payable_municipality'`.execute(
    tx,
  )
}

/** Inserts submissions, rounds and steps with one statement each. */
async function writeRows(
  tx: Tx,
  company: CompanyId,
  rows: object[],
  rounds: object[],
  history: readonly DemoHistoryRow[],
) {
  await sql`
    INSERT INTO form_submission (company_id, id, type_id, title, field_set_id, version, answers, answer_text, details, items, limit_key,
      status, person_id, name, email, phone, fee_cents, paid_cents, paid_at, rounds, created_at, submitted_at, decided_at, decided_by,
      closed_at, updated_at, assigned_to, department_id, signer_name, signed_at)
    SELECT ${company}::int, id, type_id, title, field_set_id, 1, answers, answer_text, details, items, limit_key,
      status, person_id, name, email, phone, fee_cents, paid_cents, paid_at, rounds, created_at, submitted_at, decided_at, decided_by,
      closed_at, updated_at, assigned_to, department_id, signer_name, signed_at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(id bigint, type_id bigint, title text, field_set_id bigint, answers jsonb,
      answer_text text, details jsonb, items jsonb, limit_key text, status int, person_id bigint, name text, email text, phone text,
      fee_cents bigint, paid_cents bigint, paid_at timestamptz, rounds int, created_at timestamptz, submitted_at timestamptz,
      decided_at timestamptz, decided_by text, closed_at timestamptz, updated_at timestamptz, assigned_to bigint, department_id bigint,
      signer_name text, signed_at timestamptz)`.execute(tx)
  await sql`
    INSERT INTO form_round (company_id, submission_id, no, field_set_id, version, answers, sent_by, at)
    SELECT ${company}::int, id, no, set, 1, answers, by, at
    FROM jsonb_to_recordset(${JSON.stringify(rounds)}::jsonb) AS x(id bigint, no int, set bigint, answers jsonb, by text, at timestamptz)`.execute(
    tx,
  )
  await sql`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name, reason)
    SELECT ${company}::int, 'form_submission', id, seq, "from", "to", event, at, kind, actor, by, reason
    FROM jsonb_to_recordset(${JSON.stringify(history)}::jsonb) AS x(id bigint, seq int, "from" text, "to" text, event text, at timestamptz,
      kind text, actor bigint, by text, reason text)`.execute(tx)
}

const addCompany: DemoPart['company'] = (demo, demoCompany, { company, households }) =>
  tenancyOn(demo.db.app)(company, (tx) => addForms(tx, demo, demoCompany, company, households))

export const demo: DemoPart = { company: addCompany }
