import { sql } from 'kysely'
import { changeRow, insertUnderFreeAddress } from '../../../server/db/rows.ts'
import { originOf } from '../../../server/config.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { workOf } from '../../../server/fields/calls.ts'
import { createFieldSet, readFieldSet } from '../../../server/fields/sets.ts'
import { newSecret } from '../../../server/sessions.ts'
import { recordCreation, transition, actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { blankStep } from '../../../shared/fields/blank.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { refuseMistakes, rejected } from '../../../server/errors.ts'
import { say } from '../../../shared/messages.ts'
import { changePaymentType, createPaymentType, savePaymentType, showPaymentType } from '../contract.ts'
import { mistakesOf, slugOf, type TypeForm, wholeForm } from '../rules.ts'
import { paymentTypeStates } from '../states.ts'
import { formOf, paymentTypeStateStore, pathOf, type PaymentType, publishedFields, readType } from './types.ts'

/** Value of `kind` for payment fields in the `field_set` table. */
export const FIELDS_KIND = 'general_payment'
const CODE_LENGTH = 12

export const rowOf = (form: TypeForm) => ({
  title: form.title,
  category: form.category,
  description: form.description,
  gl_account: form.glAccount,
  seen_by: form.seenBy,
  amount_kind: form.amountKind,
  amount_cents: form.amountKind === 'fixed' ? form.amountCents : null,
  min_cents: form.amountKind === 'open' ? form.minCents : null,
  max_cents: form.amountKind === 'open' ? form.maxCents : null,
  in_parts: form.amountKind === 'listed' && form.inParts ? (1 as const) : (0 as const),
  due_date: form.dueDate || null,
  opens_on: form.opensOn || null,
  closes_on: form.closesOn || null,
  number_label: form.numberLabel,
  item_label: form.itemLabel,
  proof: form.proof,
})

export const newLinkCode = (): string =>
  newSecret()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, CODE_LENGTH)

const audited = (tx: Tx, call: Call, id: number, detail: Record<string, unknown>) =>
  call.audit(tx, { action: 'general.changed', subject: { kind: 'payment_type', id }, detail })

export const createPaymentTypeCall = implement(createPaymentType, async (call) => {
  const { form } = call.body
  const { clock } = call.context
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const field_set_id = await createFieldSet(workOf(call, tx), FIELDS_KIND, {
      name: form.title,
      steps: [blankStep('questions')],
    })
    const values = {
      ...rowOf(form),
      field_set_id,
      link_code: newLinkCode(),
      created_at: clock.now(),
      changed_at: clock.now(),
    }
    const id = await insertUnderFreeAddress(slugOf(form.title), (slug) =>
      tx
        .insertInto('payment_type')
        .values({ ...values, company_id: company, slug })
        .onConflict((on) => on.columns(['company_id', 'slug']).doNothing())
        .returning('id')
        .executeTakeFirst(),
    )
    await recordCreation(tx, paymentTypeStateStore, {
      scope: company,
      id,
      event: 'create',
      actor: actorOf(call),
      detail: { title: form.title },
    })
    return { success: true as const, message: say`Draft “${form.title}” created.`, typeId: id }
  })
})

export const savePaymentTypeCall = implement(savePaymentType, async (call) => {
  const { typeId, form: input, basis } = call.body
  const { clock } = call.context
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const type = await readType(tx, company, typeId, true)
    const before = formOf(type)
    const edit = editBy(tx, call, `payment_type ${typeId}`)
    const { after, isChanged } = await applyEdit(edit, { basis, own: input, before })
    refuseMistakes(mistakesOf(after))
    await refuseOtherKind(tx, company, type, after)
    if (isChanged) {
      await changeRow(tx, 'payment_type', company, typeId, { ...rowOf(after), changed_at: clock.now() })
      await audited(tx, call, typeId, { before, after })
    }
    return { success: true as const, message: say`“${after.title}” saved.` }
  })
})

/** Refuses to change a type to or from a list of open items once charges exist. */
async function refuseOtherKind(tx: Tx, company: CompanyId, before: PaymentType, after: TypeForm): Promise<void> {
  if ((before.amountKind === 'listed') === (after.amountKind === 'listed')) return
  const { rows } = await sql`
    SELECT 1 FROM general_charge WHERE company_id = ${company} AND type_id = ${before.id} LIMIT 1`.execute(tx)
  if (rows.length === 0) return
  const errorText = say`“${before.title}” already has payments or open items, so you cannot switch to or from a list of open items. Create a new payment type instead.`
  throw rejected(errorText, { amountKind: errorText })
}

export const changePaymentTypeCall = implement(changePaymentType, async (call) => {
  const { typeId, event } = call.body
  const actor = actorOf(call)
  return call.inCompany(async (tx) => {
    const { message } = await transition(tx, paymentTypeStateStore, {
      scope: call.company.id,
      id: typeId,
      event,
      actor,
    })
    return { success: true as const, message }
  })
})

interface TypeStatus {
  left: number
  issued: number
  next: string | null
  open: number
  paid: number
  owedCents: number
}

export const showPaymentTypeCall = implement(showPaymentType, async (call) => {
  const { context, company } = call
  const { privileges } = signedIn(call)
  const { typeId } = call.body
  return call.reading(async (tx) => {
    const type = await readType(tx, company.id, typeId)
    const { draft, latestVersion } = await readFieldSet(workOf(call, tx), type.fieldSet)
    const published = await publishedFields({ tx, company: company.id }, type)
    const { rows } = await sql<TypeStatus>`
      SELECT s.left, s.issued, s.next, c.open, c.paid, c."owedCents"
      FROM (SELECT count(*) FILTER (WHERE charge_id IS NULL)::int AS left, count(charge_id)::int AS issued,
          (array_agg(number ORDER BY position) FILTER (WHERE charge_id IS NULL))[1] AS next
        FROM payment_stock WHERE company_id = ${company.id} AND type_id = ${typeId}) s,
        (SELECT count(*) FILTER (WHERE paid_cents < amount_cents)::int AS open, count(*) FILTER (WHERE paid_cents >= amount_cents)::int AS paid,
          coalesce(sum(greatest(amount_cents - paid_cents, 0)), 0)::bigint AS "owedCents"
        FROM general_charge WHERE company_id = ${company.id} AND type_id = ${typeId} AND item_key IS NOT NULL) c`.execute(
      tx,
    )
    const { left = 0, issued = 0, next = null, open = 0, paid = 0, owedCents = 0 } = rows[0] ?? {}
    const edit = may(privileges, 'general_payments', 'update')
    return {
      id: typeId,
      form: formOf(type),
      status: type.status,
      url: originOf(context.config, company.subdomain) + pathOf(type),
      draft,
      latestVersion,
      published: wholeForm(type, published.definition),
      stock: { left, issued, next: next ?? '' },
      items: { open, paid, owedCents },
      today: dateIn(company.timeZone, context.clock.now()),
      can: { edit, ...buttonsFrom(paymentTypeStates, type.status, { as: 'staff', privileges }) },
    }
  })
})
