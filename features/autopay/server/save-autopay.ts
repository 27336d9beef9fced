import { type Call, implement, signedIn } from '../../../server/call.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import { notify } from '../../../server/notices/notify.ts'
import { recordCreation, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { allPayables, type LinkedPayable } from '../../payments/api.ts'
import { saveAutopay } from '../contract.ts'
import { termsText } from '../rules.ts'
import { type Autopay, autopayStateStore, termsOf } from './enrollments.ts'
import { enrolled } from './emails.ts'
import { lockOwnMethod } from './methods.ts'
import { planUpcoming } from './plan-upcoming.ts'
import { autopaySettings, mandateVersion } from './settings.ts'

/**
 * Finds the caller's own item.
 * @throws 404 if the caller has no such item
 */
async function findItem(tx: Tx, call: Call, kind: string, id: number): Promise<LinkedPayable> {
  const recurs = allPayables().find((payable) => payable.kind === kind)?.recurs
  const ownItems = (await recurs?.listLinked(tx, call.company.id, signedIn(call).personId)) ?? []
  const item = ownItems.find((one) => one.id === id)
  if (!recurs || !item) throw notFound('This account is not linked to your profile. Link it first.')
  return item
}

export const saveAutopayCall = implement(saveAutopay, (call) => {
  const { context, company, body } = call
  const { kind, itemId, form } = body
  return call.inCompany(async (tx) => {
    const settings = await autopaySettings(tx, company)
    if (!settings.enabled) throw conflict('no_autopay', say`${company.name} does not currently offer AutoPay.`)
    const version = await mandateVersion(tx, company, settings.mandate)
    if (version !== body.mandate)
      throw conflict('mandate_changed', 'The terms have changed. Reload the page and read the new terms.')
    const item = await findItem(tx, call, kind, itemId)
    const now = context.clock.now()
    // Locks the method first, in the same order as the code that marks a method as unusable.
    const method = await lockOwnMethod(tx, call, form.methodId)
    const before = await lockActiveAutopay(tx, call, kind, itemId)
    const today = dateIn(company.timeZone, now)
    if (method.elsewhere) {
      const reason = say`${method.method_label} is stored with a payment provider that we no longer use. Add it again.`
      throw rejected(reason, { methodId: reason })
    }
    if (method.unusable !== '' || (method.expires_on !== null && method.expires_on < today)) {
      const reason = say`${method.method_label} can no longer be charged. Choose another card or bank account.`
      throw rejected(reason, { methodId: reason })
    }
    const { email, firstName, lastName, personId } = signedIn(call)
    const patch = {
      method_id: method.id,
      timing: form.timing,
      days_before: form.timing === 'before' ? form.daysBefore : 0,
      day_of_month: form.timing === 'day' ? form.dayOfMonth : 0,
      cap_cents: form.limited ? form.capCents : null,
      search_text: `${item.reference} ${firstName} ${lastName} ${email}`.toLowerCase(),
    }
    const autopay = before
      ? await change(tx, call, before, patch)
      : await enroll(tx, call, { ...patch, kind, payable_id: itemId, reference: item.reference })
    const terms = termsText(termsOf(autopay), method.method_label)
    await storeAgreement(tx, call, { autopay, terms, version, mandate: settings.mandate })
    // The screen and the email show the day to the payer, so no further notice period applies.
    const payer = { ...autopay, person_id: personId, email, method_label: method.method_label }
    const nextText = await planUpcoming(tx, context, company, payer, { newest: item.newest, settings, today })
    await notify(tx, context, {
      at: company,
      to: email,
      person: personId,
      notice: enrolled,
      data: { reference: item.reference, terms, mandate: settings.mandate, next: nextText },
    })
    return { success: true as const, message: say`AutoPay is on for account ${item.reference}. ${nextText}` }
  })
})

const OTHERS = 'This account is already on AutoPay. Reload the page.'

async function lockActiveAutopay(tx: Tx, call: Call, kind: string, id: number): Promise<Autopay | undefined> {
  const row = await tx
    .selectFrom('autopay')
    .selectAll()
    .where('company_id', '=', call.company.id)
    .where('kind', '=', kind)
    .where('payable_id', '=', id)
    .where('state', 'in', ['active', 'paused'])
    .forUpdate()
    .executeTakeFirst()
  if (row && row.person_id !== signedIn(call).personId) throw conflict('others_autopay', OTHERS)
  return row
}

type NewTerms = Pick<Autopay, 'method_id' | 'timing' | 'days_before' | 'day_of_month' | 'cap_cents' | 'search_text'>

async function enroll(
  tx: Tx,
  call: Call,
  input: NewTerms & Pick<Autopay, 'kind' | 'payable_id' | 'reference'>,
): Promise<Autopay> {
  const { personId } = signedIn(call)
  const row = await tx
    .insertInto('autopay')
    .values({
      ...input,
      company_id: call.company.id,
      person_id: personId,
      state: 'active',
      enrolled_at: call.context.clock.now(),
      ended_at: null,
    })
    // Another person or tab has enrolled the account at the same time.
    .onConflict((on) => on.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw conflict('others_autopay', OTHERS)
  const { id, reference } = row
  const detail = { account: reference }
  await recordCreation(tx, autopayStateStore, {
    scope: call.company.id,
    id,
    event: 'enroll',
    actor: actorOf(call),
    detail,
    person: personId,
  })
  return row
}

async function change(tx: Tx, call: Call, before: Autopay, patch: NewTerms): Promise<Autopay> {
  const row = await tx
    .updateTable('autopay')
    .set(patch)
    .where('company_id', '=', call.company.id)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const auditDataOf = ({ method_id: method, ...one }: Autopay) => ({ method, ...termsOf(one) })
  await call.audit(tx, {
    action: 'autopay.changed',
    subject: { kind: 'autopay', id: row.id },
    detail: { account: row.reference, before: auditDataOf(before), after: auditDataOf(row) },
  })
  return row
}

/** Saves the authorization: text, time and device. A saved authorization never changes. */
async function storeAgreement(
  tx: Tx,
  call: Call,
  { autopay, terms, version, mandate }: { autopay: Autopay; terms: string; version: number; mandate: string },
): Promise<void> {
  const [company_id, at] = [call.company.id, call.context.clock.now()]
  await tx
    .insertInto('autopay_mandate')
    .values({ company_id, version, text: mandate, since: at })
    .onConflict((on) => on.doNothing())
    .execute()
  await tx
    .insertInto('autopay_agreement')
    .values({
      company_id,
      autopay_id: autopay.id,
      at,
      address: call.address,
      device: call.device,
      mandate_version: version,
      terms,
    })
    .execute()
}
