import type * as z from 'zod/mini'
import { done, fileAddress } from './answers.ts'
import type { FileRules } from './file-types.ts'
import type { PolicyName, Right } from './privileges.ts'

/** Whose session a call takes. `public` needs none, and takes any. */
export type Audience = 'public' | 'citizen' | 'municipality' | 'platform'

/** Who may make a call. Several audiences share one privilege; citizens and the public are not asked for it. */
export interface Access {
  audience: Audience | readonly Audience[]
  privilege?: readonly [PolicyName, Right]
}

/**
 * One call of the product, declared once: the server mounts it, the client calls it, the API document is made from it.
 *
 * `path` hangs under `/api/v2/`, without a leading slash (specification, section 7).
 * `scope` says whether a municipality must be known before the call runs: from the host on a town's host,
 * from `companyId` in the body on the administrator's.
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
   * Takes an `Idempotency-Key` header: the same key and body get the same answer, and nothing happens twice. `offered`:
   * also without a key; so is everything that a form saves, which the browser sends again where no answer comes.
   */
  readonly idempotent: boolean | 'offered'
  /**
   * `json`: one answer. `download`: the call answers `{ url }`, a single-use ticket of 60 seconds behind which a file
   * streams (a browser can't send headers with a download). `events`: a stream of server-sent events, read by fetch.
   */
  readonly answers: 'json' | 'download' | 'events'
  /**
   * `file`: multipart/form-data with exactly one `file`, after the fields (specification 7.1). The field `company` is the
   * body's `companyId`; in place of a file, the field `upload` may name one that was sent in parts. `large-file`: the
   * same of a large one, which is kept on disk while it is worked on.
   */
  readonly takes: 'json' | 'file' | 'large-file'
  /** What is taken. Whoever declares it takes a `file`, unless it says otherwise. */
  readonly files: FileRules | null
  /** Answers everybody while the municipality is offline. What does not is for those who prepare it alone: its staff, and who impersonates. */
  readonly whileOffline: boolean
  /**
   * Open to guests, and yet a session that has ended is a 401, since what somebody does signed in is to be theirs: else it
   * would be done as a guest's, and nobody would notice.
   */
  readonly keepsSession: boolean
  /** `refused`: not for somebody in another's place: it moves money, or touches credentials or grants (product rules, section 4). */
  readonly whileImpersonating: 'allowed' | 'refused'
  /** Shows personal data of residents: each look by staff is written into the audit log, with what they asked for. */
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

/** Declares a call. POST, scoped to a company, and plain JSON unless it says otherwise. */
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
 * What a form or a button saves. Where no answer comes it is sent again under its key, and done once. It answers that it
 * is done, and more where the declaration says so.
 */
export const formCall = <Body extends z.ZodMiniType, Answer extends z.ZodMiniType = typeof done>(
  declared: Omit<EndpointInput<Body, Answer>, 'answer' | 'idempotent'> & { answer?: Answer },
): Endpoint<Body, Answer> => endpoint({ idempotent: 'offered', answer: done as unknown as Answer, ...declared })

/** A file to be saved or opened by a browser. */
export const downloadCall = <Body extends z.ZodMiniType>(
  declared: Omit<EndpointInput<Body, typeof fileAddress>, 'answer' | 'answers'>,
): Endpoint<Body, typeof fileAddress> => endpoint({ answers: 'download', answer: fileAddress, ...declared })

export const audiencesOf = (access: Access): readonly Audience[] =>
  typeof access.audience === 'string' ? [access.audience] : access.audience
