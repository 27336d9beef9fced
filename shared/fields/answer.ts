/** An address, as it is kept. */
export interface AddressAnswer {
  address1: string
  address2: string
  city: string
  state: string
  zipcode: string
}

/** A file that was uploaded for this: whose it is and which. Whoever keeps files says whether there is one. */
export interface FileAnswer {
  owner: string
  id: string
  /** What it was called where it came from. */
  name: string
}

/** Lines of points from 0 to 1000 in both directions, or the typed name, which counts the same. */
export type SignatureAnswer = { drawn: [number, number][][] } | { typed: string }

export type CellAnswer = string | number | boolean
export type RowAnswer = Record<string, CellAnswer>

/** Days are YYYY-MM-DD and amounts cents. What was not answered is not there. */
export type Answer = string | number | boolean | string[] | AddressAnswer | FileAnswer[] | SignatureAnswer | RowAnswer[]

export type Answers = Readonly<Record<string, Answer>>

/** What stands in the inputs: answers, and texts that may be none. */
export type Raw = Readonly<Record<string, unknown>>
