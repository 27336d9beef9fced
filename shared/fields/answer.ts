export interface AddressAnswer {
  address1: string
  address2: string
  city: string
  state: string
  zipcode: string
}

/** Reference to an uploaded file. This schema does not check that the file exists. */
export interface FileAnswer {
  owner: string
  id: string
  /** Original name of the file. */
  name: string
}

/** Drawn signature with points from 0 to 1000 in both directions, or a typed name. Both are equally valid. */
export type SignatureAnswer = { drawn: [number, number][][] } | { typed: string }

export type CellAnswer = string | number | boolean
export type RowAnswer = Record<string, CellAnswer>

/** Answer to a field. Dates are YYYY-MM-DD and amounts are in cents. Unanswered fields are absent. */
export type Answer = string | number | boolean | string[] | AddressAnswer | FileAnswer[] | SignatureAnswer | RowAnswer[]

export type Answers = Readonly<Record<string, Answer>>

/** Raw values of the inputs, which are not necessarily valid answers. */
export type Raw = Readonly<Record<string, unknown>>
