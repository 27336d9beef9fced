import { implement } from '../../../server/call.ts'
import { rejected } from '../../../server/errors.ts'
import { publishFields, saveFields, type CompanyFieldSetContext } from '../../../server/fields/calls.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { say } from '../../../shared/messages.ts'
import { publishPaymentFields, savePaymentFields } from '../contract.ts'
import { AMOUNT, PAYER } from '../rules.ts'
import { readType } from './types.ts'

const fieldsOf =
  (typeId: number) =>
  async ({ tx, company }: CompanyFieldSetContext) => {
    const { title, fieldSet } = await readType(tx, company, typeId)
    return { name: title, set: fieldSet }
  }

/** Refuses field names that are reserved for the built-in questions. The general field rules apply too. */
function refuseUnfit(draft: Definition): void {
  for (const { name, label } of allFields(draft)) {
    if (name === PAYER || name === AMOUNT)
      throw rejected(
        say`“${label}” uses a field name that is reserved for payments. Remove the field and add it again.`,
      )
  }
}

export const paymentFieldCalls = [
  implement(savePaymentFields, (call) => saveFields(call, fieldsOf(call.body.typeId))),
  implement(publishPaymentFields, (call) => publishFields(call, fieldsOf(call.body.typeId), refuseUnfit)),
]
