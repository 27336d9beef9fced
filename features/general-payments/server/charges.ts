import { chargedItems } from '../../../shared/fields/answers.ts'
import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { rejected } from '../../../server/errors.ts'
import { definePreviewRows } from '../../../server/resident-preview.ts'
import { acceptAnswers, type Signer } from '../../../server/fields/accept-answers.ts'
import { dateIn } from '../../../shared/dates.ts'
import { amountOf, AMOUNT, answersText, detailsOf, PAYER, wholeForm } from '../rules.ts'
import { attachFiles, unsentFiles } from './files.ts'
import { holdFrom, soldOut, takeNumber } from './stock.ts'
import { type PaymentType, publishedFields } from './types.ts'

export interface NewCharge {
  /** Answers as typed, before validation. */
  raw: Record<string, unknown>
  email: string
  person: number | null
  /** Name of the staff member who fills in the form for the payer. Empty if the payer fills it in. */
  madeBy: string
  /** Person who signs. Null if staff fill in the form. */
  signer: Signer | null
}

/**
 * Saves the answers as an unpaid charge and reserves a number for it.
 * @throws 422 if a field is wrong, 409 if no number is left
 */
export async function addCharge(
  tx: Tx,
  context: AppContext,
  company: Pick<Company, 'id' | 'timeZone'>,
  type: PaymentType,
  { raw, email, person, madeBy, signer }: NewCharge,
): Promise<{ id: number; amountCents: number }> {
  const now = context.clock.now()
  const fields = await publishedFields({ tx, company: company.id }, type)
  const whole = wholeForm(type, fields.definition)
  const today = dateIn(company.timeZone, now)
  const all = await acceptAnswers(whole, raw, { today, findFile: unsentFiles(tx, company.id, person), signer })
  const amountCents = amountOf(type, fields.definition, all)
  if (amountCents <= 0) throw rejected('The total for these answers is zero. Check the answers.')
  const { [PAYER]: payer, [AMOUNT]: _amount, ...answers } = all
  const { id } = await tx
    .insertInto('general_charge')
    .values({
      company_id: company.id,
      type_id: type.id,
      ...(fields.version > 0 && { field_set_id: type.fieldSet, version: fields.version }),
      answers: JSON.stringify(answers),
      answer_text: answersText(fields.definition, answers),
      details: JSON.stringify(detailsOf(fields.definition, answers)),
      items: JSON.stringify(type.amountKind === 'computed' ? chargedItems(type.title, fields.definition, answers) : []),
      payer_name: typeof payer === 'string' ? payer : '',
      email,
      person_id: person,
      amount_cents: amountCents,
      due_date: type.dueDate || null,
      is_numbered: type.numberLabel !== '',
      made_by: madeBy,
      created_at: now,
      at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await attachFiles(tx, company.id, fields.definition, answers, { id, now })
  if (type.numberLabel !== '') await holdNumber(tx, company.id, type, id, holdFrom(now))
  return { id, amountCents }
}

async function holdNumber(tx: Tx, company: CompanyId, type: PaymentType, id: number, until: Date): Promise<void> {
  const number = await takeNumber(tx, { company, typeId: type.id, chargeId: id })
  if (number === null) throw soldOut(type.title)
  await sql`
    UPDATE general_charge SET stock_number = ${number}, held_until = ${until} WHERE company_id = ${company} AND id = ${id}`.execute(
    tx,
  )
}

definePreviewRows({ tables: ['general_charge'] })
