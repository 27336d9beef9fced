import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { RowOf } from '../../../shared/list.ts'
import type { showForm } from '../contract.ts'
import type { forms } from '../list.ts'

export type FormRow = RowOf<typeof forms>
export type FormDetails = ResponseOf<typeof showForm>
export type Version = FormDetails['versions'][number]

/** An id as it stands in the address, which may say anything. */
export const numberOf = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
