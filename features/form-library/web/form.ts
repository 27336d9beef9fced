import type { AnswerOf } from '../../../shared/endpoint.ts'
import type { listForms, showForm } from '../contract.ts'

export type FormRow = AnswerOf<typeof listForms>['rows'][number]
export type FormDetails = AnswerOf<typeof showForm>
export type Version = FormDetails['versions'][number]

/** An id as it stands in the address, which may say anything. */
export const numberOf = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
