import type { ComponentType } from 'react'
import type { Attachments } from '../../shared/attachments.ts'
import type { RequestInputOf, Endpoint } from '../../shared/endpoint.ts'
import type { Action } from './outbox.ts'

export interface FieldRecord {
  id: number
}

/** Function that stores an action on the device and sends it as soon as possible. `label` describes the action. */
export type Act = <E extends Endpoint>(call: E, body: RequestInputOf<E>, label: string, photo?: File) => Promise<void>

export interface DetailsProps<T extends FieldRecord> {
  record: T
  /** The company's day on which the data was downloaded for offline work. */
  today: string
  act: Act
  /** Actions on the record that were not sent yet. */
  pending: readonly Action[]
}

/** A call that uploads a photo, in parts if the photo is large. */
export interface TakesPhoto {
  takes: Endpoint
  by: Attachments
}

/** Records of one feature on the field screen. `server/field-parts.ts` has the server code for them. */
export interface FieldPart<T extends FieldRecord> {
  /** Same value as `kind` in `server/field-parts.ts`. */
  kind: string
  label: string
  calls: readonly Endpoint[]
  photos: readonly TakesPhoto[]
  /** Labels of fields that may have sync conflicts. */
  fieldLabels: Readonly<Record<string, string>>
  /** Returns the name of the record, such as 'Hydrant H-12'. */
  nameOf: (record: T) => string
  /** Returns the search text of the record. */
  searchTextOf: (record: T) => string
  /** Returns the record with the changes that this action makes. */
  after: (record: T, action: Pick<Action, 'path' | 'body'>, me: string) => T
  Line: ComponentType<{ record: T }>
  Details: ComponentType<DetailsProps<T>>
}

// oxlint-disable-next-line typescript/no-explicit-any -- each feature knows the type of its own records
export type AnyPart = FieldPart<any>

/**
 * Parts of the field screen. The portal sets them, because the field screen does not depend on features. They load with
 * the screen.
 */
export const fieldParts = { load: (): Promise<{ parts: readonly AnyPart[] }> => Promise.resolve({ parts: [] }) }
