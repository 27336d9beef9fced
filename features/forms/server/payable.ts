import { sql } from 'kysely'
import { conflict, notFound } from '../../../server/errors.ts'
import { allOf, hasPart, searchTerms } from '../../../server/list-sql.ts'
import { transition } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import {
  type FindablePayable,
  type Payable,
  type Settlement,
  settlementsIn,
  pendingPayments,
  definePayable,
} from '../../payments/api.ts'
import { idIn, numberOf, submissionStatus } from '../rules.ts'
import { submissionStateStore } from './case.ts'
import type { Submission } from './row.ts'

const KIND = 'form'
const settlements = settlementsIn('form_settlement', 'submission_id')

type Fee = Submission & { gl_account: string }

async function read(tx: Tx, company: CompanyId, id: number, lock = false): Promise<Fee | undefined> {
  const { rows } = await sql<Fee>`
    SELECT s.*, t.gl_account FROM form_submission s JOIN form_type t ON t.company_id = s.company_id AND t.id = s.type_id
    WHERE s.company_id = ${company} AND s.id = ${id} ${lock ? sql`FOR NO KEY UPDATE OF s` : sql``}`.execute(tx)
  return rows[0]
}

const closedMessage = (title: string) => say`“${title}” has no payment due. Nothing was charged.`

/** The fee of a sent form as an item to pay. */
export const formPayable: Payable = {
  kind: KIND,
  label: 'Forms',
  takesCredit: false,
  settled: settlements.sums,
  find: async () => null,

  /** Searches submissions that await their fee. */
  async search(tx, company, text, max) {
    const id = idIn(text)
    const matches =
      id === null
        ? searchTerms(text.toLowerCase()).map((word) => hasPart(sql`r.search_text`, word))
        : [sql`r.id = ${id}`]
    const { rows } = await sql<FindablePayable>`
      SELECT r.id, r.number AS reference, r.name, r.title AS description FROM found_form_submission r
      WHERE r.company_id = ${company} AND r.status = ${sql.lit(submissionStatus.paymentRequired)} AND ${allOf(matches)} ORDER BY r.id DESC LIMIT ${max}`.execute(
      tx,
    )
    return rows
  },

  byReference: async (tx, company, reference) => {
    const id = idIn(reference)
    return id !== null && (await read(tx, company, id)) ? id : null
  },

  async lock(tx, company, id) {
    const fee = await read(tx, company, id, true)
    if (!fee) return false
    if (fee.status !== submissionStatus.paymentRequired) throw conflict('closed', closedMessage(fee.title))
    return true
  },

  async owed(tx, company, id) {
    const { rows } = await sql<{ owedCents: number; pendingCents: number }>`
      SELECT CASE status WHEN ${sql.lit(submissionStatus.paymentRequired)} THEN greatest(fee_cents - paid_cents, 0) ELSE 0 END AS "owedCents",
        ${pendingPayments(company, KIND, id)} AS "pendingCents"
      FROM form_submission WHERE company_id = ${company} AND id = ${id}`.execute(tx)
    if (!rows[0]) throw notFound()
    return { ...rows[0], inFull: true }
  },

  async describe(tx, company, id) {
    const fee = await read(tx, company, id)
    if (!fee) throw notFound()
    const { title, gl_account, name, status, details, items } = fee
    const reference = numberOf(id)
    const all = [{ name: 'reference', value: reference }, ...details]
    return {
      glAccount: gl_account,
      payerName: name,
      reference,
      title,
      details: all,
      items,
      publicView: {
        title,
        details: all.slice(0, 1),
        dueDate: null,
        nothingYet: null,
        closed: status === submissionStatus.paymentRequired ? null : closedMessage(title),
      },
    }
  },

  /** Lists the person's submissions with an unpaid fee. */
  async listOwn(tx, company, person) {
    const { rows } = await sql<{ id: number }>`
      SELECT id FROM form_submission WHERE company_id = ${company} AND person_id = ${person} AND status = ${sql.lit(submissionStatus.paymentRequired)}
      ORDER BY id DESC LIMIT 20`.execute(tx)
    return rows.map(({ id }) => id)
  },

  async onSettled(tx, company, settlement) {
    await finishFee(tx, company, 'credit', settlement)
    const fee = await read(tx, company, settlement.payableId, true)
    if (fee?.status !== submissionStatus.paymentRequired || fee.paid_cents < fee.fee_cents) return
    const actor = {
      as: 'system' as const,
      caller: { session: null, requestId: '', kind: 'system' as const },
      clock: { now: () => settlement.at },
    }
    await transition(tx, submissionStateStore, {
      scope: company,
      id: fee.id,
      event: 'pay',
      actor,
      deps: null,
    })
  },
  onReversed: (tx, company, settlement) => finishFee(tx, company, 'reversal', settlement),
}
definePayable(formPayable)

/** Adds a payment to the paid fee, or subtracts a reversal from it. */
async function finishFee(
  tx: Tx,
  company: CompanyId,
  kind: 'credit' | 'reversal',
  settlement: Settlement,
): Promise<void> {
  const change = await settlements.keep(tx, company, kind, settlement)
  await sql`
    UPDATE form_submission SET paid_cents = paid_cents + ${change}, paid_at = coalesce(paid_at, ${settlement.at})
    WHERE company_id = ${company} AND id = ${settlement.payableId}`.execute(tx)
}
