import type { ComponentType } from 'react'
import type { Attachments } from '../../shared/attachments.ts'
import type { RequestInputOf, Endpoint } from '../../shared/endpoint.ts'
import type { Action } from './outbox.ts'

export interface FieldRecord {
  id: number
}

/** Does something: it is kept on the device, and sent as soon as there is a connection. `label` says in words what. */
export type Act = <E extends Endpoint>(call: E, body: RequestInputOf<E>, label: string, photo?: File) => Promise<void>

export interface DetailsProps<T extends FieldRecord> {
  thing: T
  /** By the town's clock, when it was taken along. */
  today: string
  act: Act
  /** What was done to it and was not sent yet. */
  waiting: readonly Action[]
}

/** A photo is sent by a call that takes it, and in parts where it is large. */
export interface TakesPhoto {
  takes: Endpoint
  by: Attachments
}

/** Things of a feature on the screen for the field: the other half of `server/field-parts.ts`. */
export interface FieldPart<T extends FieldRecord> {
  /** As `kind` of `server/field-parts.ts`. */
  kind: string
  label: string
  calls: readonly Endpoint[]
  photos: readonly TakesPhoto[]
  /** What fields are called that two people may have changed. */
  fieldLabels: Readonly<Record<string, string>>
  /** 'Hydrant H-12' */
  nameOf: (thing: T) => string
  /** By what it is found. */
  wordsOf: (thing: T) => string
  /** The thing as it will be once this has arrived. */
  after: (thing: T, action: Pick<Action, 'path' | 'body'>, me: string) => T
  /** Its line in the list. */
  Line: ComponentType<{ thing: T }>
  Details: ComponentType<DetailsProps<T>>
}

// oxlint-disable-next-line typescript/no-explicit-any -- what each thing is, its own feature knows
export type AnyPart = FieldPart<any>

/** The portal names them, since the screen knows no other feature. They come late, with the screen. */
export const fieldParts = { load: (): Promise<{ parts: readonly AnyPart[] }> => Promise.resolve({ parts: [] }) }
