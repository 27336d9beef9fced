import { implement } from '../../../server/call.ts'
import { publishFields, saveFields, type CompanyFieldSetContext } from '../../../server/fields/calls.ts'
import { publishFormFields, saveFormFields } from '../contract.ts'
import { readType } from './types.ts'

const fieldsOf =
  (typeId: number) =>
  async ({ tx, company }: CompanyFieldSetContext) => {
    const { title, fieldSet } = await readType(tx, company, typeId)
    return { name: title, set: fieldSet }
  }

export const formFieldCalls = [
  implement(saveFormFields, (call) => saveFields(call, fieldsOf(call.body.typeId))),
  implement(publishFormFields, (call) => publishFields(call, fieldsOf(call.body.typeId))),
]
