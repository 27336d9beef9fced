import type * as z from 'zod/mini'
import { done, fileAddress } from './answers.ts'
import type { FileRules } from './file-types.ts'
import type { PolicyName, Right } from './privileges.ts'

/** Session that a call requires. `public` needs none and accepts any. */
export type Audience = 'public' | 'citizen' | 'municipality' | 'platform'

/** Permitted callers. Several audiences share one privilege. Citizens and the public don't need it. */
export interface Access {
  audience: Audience | readonly Audience[]
  privilege?: readonly [PolicyName, Right]
}

/**
 * One call of the product, declared once for the server, the client and the API document.
 * `path` is relative to `/api/v2/`, without a leading slash (specification, section 7). `scope` states whether the call
 * needs a municipality: from the host, or from `companyId` in the body on the administrator's host.
 */
export interface Endpoint<Body extends z.ZodMiniType = z.ZodMiniType, Answer extends z.ZodMiniType = z.ZodMiniType> {
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly summary: string
  readonly access: Access
  readonly scope: 'company' | 'none'
  readonly body: Body
  readonly answer: Answer
  /**
   * Takes an `Idempotency-Key` header: the same key and body get the same answer, and the action runs once. `offered`:
   * the key is optional, as for all form saves, which the browser resends without an answer.
   */
  readonly idempotent: boolean | 'offered'
  /**
   * `json`: one answer. `download`: the call answers `{ url }` with a single-use token of 60 seconds, because browser
   * downloads cannot send headers. `events`: server-sent events, read by fetch.
   */
  readonly answers: 'json' | 'download' | 'events'
  /**
   * `file`: multipart/form-data with exactly one `file` after the fields (specification 7.1). The field `company` is
   * the body's `companyId`. The field `upload` may name a file uploaded in parts instead. `large-file`: stored on disk
   * during processing.
   */
  readonly takes: 'json' | 'file' | 'large-file'
  /** Rules of the accepted files. A declaration with rules takes a `file` by default. */
  readonly files: FileRules | null
  /** Available to everyone while the company is offline. Other calls then work only for its staff and impersonators. */
  readonly whileOffline: boolean
  /**
   * Open to guests, but an expired session is a 401. Otherwise a signed-in person's action would silently run as a
   * guest.
   */
  readonly keepsSession: boolean
  /**
   * `refused`: not available during impersonation, because the call moves money or changes credentials or grants
   * (product rules, section 4).
   */
  readonly whileImpersonating: 'allowed' | 'refused'
  /** Shows personal data of residents. Each view by staff writes an audit entry with the request. */
  readonly personal: boolean
}

export type RequestOf<E> = E extends Endpoint<infer B, z.ZodMiniType> ? z.output<B> : never
export type RequestInputOf<E> = E extends Endpoint<infer B, z.ZodMiniType> ? z.input<B> : never
export type ResponseOf<E> = E extends Endpoint<z.ZodMiniType, infer A> ? z.output<A> : never

type Optional =
  | 'method'
  | 'scope'
  | 'idempotent'
  | 'answers'
  | 'takes'
  | 'files'
  | 'whileOffline'
  | 'keepsSession'
  | 'whileImpersonating'
  | 'personal'

type EndpointInput<Body extends z.ZodMiniType, Answer extends z.ZodMiniType> = Omit<Endpoint<Body, Answer>, Optional> &
  Partial<Pick<Endpoint<Body, Answer>, Optional>>

/** Declares a call. Defaults: POST, scoped to a company, plain JSON. */
export function endpoint<Body extends z.ZodMiniType, Answer extends z.ZodMiniType>(
  declared: EndpointInput<Body, Answer>,
): Endpoint<Body, Answer> {
  return {
    ...{ method: 'POST', scope: 'company', idempotent: false, answers: 'json', files: null },
    takes: declared.files ? 'file' : 'json',
    ...{ whileOffline: false, keepsSession: false, whileImpersonating: 'allowed', personal: false },
    ...declared,
  }
}

/**
 * Declares a call that saves a form or runs an action. Without an answer, the browser resends it under its key, and it
 * runs once. By default it answers only success.
 */
export const formCall = <Body extends z.ZodMiniType, Answer extends z.ZodMiniType = typeof done>(
  declared: Omit<EndpointInput<Body, Answer>, 'answer' | 'idempotent'> & { answer?: Answer },
): Endpoint<Body, Answer> => endpoint({ idempotent: 'offered', answer: done as unknown as Answer, ...declared })

/** Declares a call for a file that a browser saves or opens. */
export const downloadCall = <Body extends z.ZodMiniType>(
  declared: Omit<EndpointInput<Body, typeof fileAddress>, 'answer' | 'answers'>,
): Endpoint<Body, typeof fileAddress> => endpoint({ answers: 'download', answer: fileAddress, ...declared })

export const audiencesOf = (access: Access): readonly Audience[] =>
  typeof access.audience === 'string' ? [access.audience] : access.audience
