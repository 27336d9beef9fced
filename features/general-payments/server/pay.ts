import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { Refusal } from '../../../server/errors.ts'
import type { SearchSource } from '../../../server/findable.ts'
import { prefillDataOf } from '../../../server/fields/known.ts'
import { countAttempt, defineAddressLimit } from '../../../server/limits.ts'
import { companyPersonOf } from '../../../server/sessions.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { prefilled } from '../../../shared/fields/prefill.ts'
import { putIntoCart, findAndOpen, allPayables } from '../../payments/api.ts'
import { startGeneralPayment, findOpenItem, type OfferedType, payableType, payableTypes } from '../contract.ts'
import { keyOf, PAYER, rangeOf, wholeForm } from '../rules.ts'
import { signerOf } from '../../../server/fields/accept-answers.ts'
import { addCharge } from './charges.ts'
import { generalPayable } from './payable.ts'
import { findOffered, pathOf, type PaymentType, publishedFields, typeColumns } from './types.ts'
import { latestDefinitions } from '../../../server/fields/sets.ts'
import { isOffered, isOn } from '../../../server/modules.ts'
import type { Definition } from '../../../shared/fields/definition.ts'

/** Limits the number of payments started from one IP address, because each can reserve one of the company's numbers. */
const startedByAddress = defineAddressLimit('general-started', { max: 20, after: 'pause' })

const isSignedIn = ({ session }: Pick<Call, 'session'>) => session?.kind === 'citizen'

const LEFT = sql`EXISTS (SELECT FROM payment_stock s WHERE s.company_id = t.company_id AND s.type_id = t.id AND s.charge_id IS NULL)`

const offeredOf = ({ isLeft, ...type }: PaymentType & { isLeft: boolean }, definition?: Definition): OfferedType => ({
  slug: pathOf(type).slice('/pay/'.length),
  title: type.title,
  category: type.category,
  description: type.description,
  amountKind: type.amountKind,
  amountCents: type.amountCents,
  range: type.amountKind === 'computed' && definition ? rangeOf(definition) : null,
  dueDate: type.dueDate,
  closesOn: type.closesOn,
  soldOut: type.numberLabel !== '' && !isLeft,
})

/** Lists the payment types that Pay Bills shows on a day. */
async function listOffered(tx: Tx, company: CompanyId, today: string): Promise<(PaymentType & { isLeft: boolean })[]> {
  const { rows } = await sql<PaymentType & { isLeft: boolean }>`
    SELECT ${typeColumns}, ${LEFT} AS "isLeft" FROM payment_type t
    WHERE t.company_id = ${company} AND t.status = 'open' AND t.seen_by <> 'link'
      AND coalesce(t.opens_on <= ${today}::date, true) AND coalesce(t.closes_on >= ${today}::date, true)
    ORDER BY t.title_key, t.id LIMIT 500`.execute(tx)
  return rows
}

export const payableTypesCall = implement(payableTypes, async (call) => {
  const { company, context } = call
  const today = dateIn(company.timeZone, context.clock.now())
  return call.reading(async (tx) => {
    const types = await listOffered(tx, company.id, today)
    const computed = types.filter(({ amountKind }) => amountKind === 'computed').map(({ fieldSet }) => fieldSet)
    const definitions = await latestDefinitions({ tx, company: company.id }, computed)
    const paths = []
    for (const { kind, paths: pathsOf } of allPayables())
      if (kind !== generalPayable.kind)
        paths.push(...((await pathsOf?.(tx, company.id, { isResident: isSignedIn(call), today })) ?? []))
    const offered = paths.filter(({ path }) => isOffered(company, path))
    return { types: types.map((type) => offeredOf(type, definitions.get(type.fieldSet))), paths: offered }
  })
})

/** Search source that lists the payment types the person may see. */
export const findableTypes: SearchSource = {
  kind: 'payments',
  all: async (tx, { company, today, isSignedIn: hasSession }) =>
    (await listOffered(tx, company.id, today))
      .filter(
        ({ seenBy, amountKind }) =>
          (hasSession || seenBy === 'everyone') && (isOn(company, 'bills') || amountKind === 'listed'),
      )
      .map((type) => ({ title: type.title, text: type.description, path: pathOf(type) })),
}

export const payableTypeCall = implement(payableType, async (call) => {
  const { company, context, body, session } = call
  const now = context.clock.now()
  return call.reading(async (tx) => {
    const type = await findOffered(tx, company, body.slug, { now, isSignedIn: isSignedIn(call) })
    const { rows } = await sql<{ left: boolean }>`
      SELECT ${LEFT} AS left FROM payment_type t WHERE t.company_id = ${company.id} AND t.id = ${type.id}`.execute(tx)
    const fields = await publishedFields({ tx, company: company.id }, type)
    const definition = wholeForm(type, fields.definition)
    const today = dateIn(company.timeZone, now)
    const person = companyPersonOf(session)
    const prefillData = person === null ? { today } : { ...(await prefillDataOf(tx, company.id, person)), today }
    return {
      ...offeredOf({ ...type, isLeft: rows[0]?.left ?? false }, fields.definition),
      definition,
      version: fields.version,
      today,
      prefill: prefilled(definition, prefillData),
      itemLabel: type.itemLabel,
      proof: type.proof,
    }
  })
})

export const startGeneralPaymentCall = implement(startGeneralPayment, async (call) => {
  const { context, company, body, session, address } = call
  await countAttempt(context, [startedByAddress(address, company.id)])
  const token = await call.inCompany(async (tx) => {
    const offerQuery = { now: context.clock.now(), isSignedIn: isSignedIn(call) }
    const type = await findOffered(tx, company, body.slug, offerQuery)
    if (type.amountKind === 'listed')
      throw new Refusal(
        422,
        'listed',
        'To make this payment, first find your amount due with the information on your notice.',
      )
    const { id } = await addCharge(tx, context, company, type, {
      raw: body.answers,
      email: session?.email ?? '',
      person: companyPersonOf(session),
      madeBy: '',
      signer: signerOf(call, typeof body.answers[PAYER] === 'string' ? body.answers[PAYER] : ''),
    })
    return putIntoCart(tx, call, [{ kind: generalPayable.kind, id }], body.cart)
  })
  return { token }
})

const NO_ITEM = 'No notice matches your entries. Check them against your notice and try again.'

/** Finds an open item. Every failure has the same message, so that it does not reveal the cause. */
export const findOpenItemCall = implement(findOpenItem, async (call) => {
  const { context, company, body } = call
  const { slug, named, proof, cart } = body
  const offerQuery = { now: context.clock.now(), isSignedIn: isSignedIn(call) }
  const type = await call.reading((tx) => findOffered(tx, company, slug, offerQuery))
  const token = await findAndOpen(call, {
    of: generalPayable,
    named: { typeId: type.id, named, proof: type.proof, proven: proof },
    number: `${type.id}/${keyOf(named)}`,
    refusal: NO_ITEM,
    cart,
  })
  return { token }
})
