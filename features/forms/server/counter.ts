import { type Call, implement } from '../../../server/call.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { counterForm, enterAnswerFile, enterForm } from '../contract.ts'
import { files } from './files.ts'
import { insertSubmission, nextSubmissionId, todayOf } from './fill.ts'
import { sendSubmission } from './send.ts'
import { publishedFields, readType, refuseClosed } from './types.ts'

/** Returns a form if staff may fill it in at the counter on this day, regardless of its audience. */
async function offeredAtCounter(tx: Tx, call: Call<{ typeId: number }>, lock = false) {
  const type = await readType(tx, call.company.id, call.body.typeId, lock)
  refuseClosed(type, todayOf(call))
  return type
}

const counterFormCall = implement(counterForm, (call) =>
  call.reading(async (tx) => {
    const type = await offeredAtCounter(tx, call)
    const { version, definition } = await publishedFields({ tx, company: call.company.id }, type)
    const { title, description, cosigned, feeKind, feeCents } = type
    const fee = { kind: feeKind, cents: feeCents }
    return { title, description, cosigned, fee, version, definition, today: todayOf(call) }
  }),
)

const enterFormCall = implement(enterForm, async (call) => {
  const id = await nextSubmissionId(call)
  const { contact } = call.body
  return call.inCompany(async (tx) => {
    // Locks the form, so that concurrent submissions can't exceed its limit.
    const type = await offeredAtCounter(tx, call, true)
    const submitter = { person_id: null, made_by: 'staff' as const, entered_by: '' }
    await insertSubmission(tx, call, type, { ...submitter, ...contact, phone: nationalDigits(contact.phone), id })
    const row = await tx
      .selectFrom('form_submission')
      .selectAll()
      .where('company_id', '=', call.company.id)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return { success: true as const, submissionId: id, ...(await sendSubmission(tx, call, row, type, null)) }
  })
})

const enterAnswerFileCall = implement(enterAnswerFile, (call) => files.take(call))

export const counterCalls = [counterFormCall, enterFormCall, enterAnswerFileCall]
