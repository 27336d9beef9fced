import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { RowOf } from '../../../shared/list.ts'
import type { showForm } from '../contract.ts'
import type { forms } from '../list.ts'

export type FormRow = RowOf<typeof forms>
export type FormDetails = ResponseOf<typeof showForm>
export type Version = FormDetails['versions'][number]

/** Reads an id from the URL, which may contain any text. */
export const numberOf = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
