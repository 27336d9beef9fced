import { implement } from '../../../server/call.ts'
import { announceCase, findCase, lockCase } from '../../../server/cases/entries.ts'
import { conflict } from '../../../server/errors.ts'
import { say } from '../../../shared/messages.ts'
import { splitRequest } from '../contract-staff.ts'
import { numberOf } from '../rules.ts'
import { requests } from './case.ts'
import { chosenCategory } from './categories.ts'
import { enterRequest, nextRequestId, yearOf } from './enter-request.ts'

/** Creates a second request for the second issue in a report, with the same requester and location. */
export const splitRequestCall = implement(splitRequest, async (call) => {
  const { company, body } = call
  await call.inCompany(async (tx) => {
    await findCase(tx, requests, company.id, body.subjectId)
    await chosenCategory(tx, company.id, Number(body.categoryId))
  })
  const id = await call.inCompany((tx) => nextRequestId(tx, company.id, yearOf(call)))
  return call.inCompany(async (tx) => {
    const row = await lockCase(tx, requests, company.id, body.subjectId)
    const number = numberOf(row.id)
    if (row.is_spam || row.merged_into !== null)
      throw conflict('wrong_status', say`You cannot split ${number} because it is spam or was merged.`)
    const { name, email, phone, person_id, location, address_id: addressId, lat, lon, at: metres } = row
    const second = await enterRequest(tx, call, {
      id,
      category: await chosenCategory(tx, company.id, Number(body.categoryId)),
      location: { text: location, addressId, lat, lon, metres },
      text: { description: body.description, name, email, phone, person_id },
      files: [],
      by: 'staff',
    })
    await tx
      .updateTable('service_request')
      .set({ split_from: row.id })
      .where('company_id', '=', company.id)
      .where('id', '=', id)
      .execute()
    await announceCase(tx, requests, row)
    const secondNumber = numberOf(second.id)
    await call.audit(tx, {
      action: 'request.split',
      subject: { kind: 'service_request', id: number },
      detail: { second: secondNumber },
    })
    return {
      success: true as const,
      message: say`${number} was split. The second request is ${secondNumber}.`,
      requestId: id,
      number: secondNumber,
    }
  })
})
