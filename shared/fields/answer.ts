export interface AddressAnswer {
  address1: string
  address2: string
  city: string
  state: string
  zipcode: string
}

/** Reference to an uploaded file. Other code checks that the file exists. */
export interface FileAnswer {
  owner: string
  id: string
  /** Original file name. */
  name: string
}

/** Drawn signature with points from 0 to 1000 in both directions, or a typed name. Both are equally valid. */
export type SignatureAnswer = { drawn: [number, number][][] } | { typed: string }

export type CellAnswer = string | number | boolean
export type RowAnswer = Record<string, CellAnswer>

/** Answer to a field. Dates are YYYY-MM-DD and amounts are in cents. Unanswered fields are absent. */
export type Answer = string | number | boolean | string[] | AddressAnswer | FileAnswer[] | SignatureAnswer | RowAnswer[]

export type Answers = Readonly<Record<string, Answer>>

/** Values of the inputs. They may contain texts that are not valid answers. */
export type Raw = Readonly<Record<string, unknown>>
