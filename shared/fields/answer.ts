export interface AddressAnswer {
  address1: string
  address2: string
  city: string
  state: string
  zipcode: string
}

/** Reference to an uploaded file. The attachment code checks that it exists. */
export interface FileAnswer {
  owner: string
  id: string
  /** Original file name. */
  name: string
}

/** Lines of points from 0 to 1000 in both directions, or the typed name. Both are equally valid. */
export type SignatureAnswer = { drawn: [number, number][][] } | { typed: string }

export type CellAnswer = string | number | boolean
export type RowAnswer = Record<string, CellAnswer>

/** Days are YYYY-MM-DD and amounts are cents. Unanswered fields are absent. */
export type Answer = string | number | boolean | string[] | AddressAnswer | FileAnswer[] | SignatureAnswer | RowAnswer[]

export type Answers = Readonly<Record<string, Answer>>

/** Content of the inputs: answers, and texts that may not be valid answers. */
export type Raw = Readonly<Record<string, unknown>>
