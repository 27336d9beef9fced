import type * as z from 'zod/mini'
import { done, fileAddress } from './responses.ts'
import type { FileRules } from './file-types.ts'
import type { PrivilegeName, Permission } from './privileges.ts'
import type { PreviewActName } from './resident-preview.ts'

/** Type of session that a call requires. `public` requires no session and accepts every type. */
export type Audience = 'public' | 'citizen' | 'municipality' | 'platform'

/**
 * Callers that may make the call. All staff audiences need the same privilege. Residents and the public need no
 * privilege.
 */
export interface Access {
  audience: Audience | readonly Audience[]
  privilege?: readonly [PrivilegeName, Permission]
}

/**
 * Declaration of a call, which the server, the client and the API document share. `path` is relative to `/api/v2/`,
 * without a leading slash (spec 7). `scope` states whether the call needs a municipality. The municipality comes from
 * the host, or from `companyId` in the body on the administrator's host.
 */
export interface Endpoint<
  Body extends z.ZodMiniType = z.ZodMiniType,
  ResponseBody extends z.ZodMiniType = z.ZodMiniType,
> {
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly summary: string
  readonly access: Access
  readonly scope: 'company' | 'none'
  readonly body: Body
  readonly response: ResponseBody
  /**
   * `true`: the call requires an `Idempotency-Key` header. If key and body repeat, the call returns the stored
   * response, and the action does not run again. `offered`: the key is optional. Form saves offer the key, because a
   * browser that gets no response sends the form again.
   */
  readonly idempotent: boolean | 'offered'
  /**
   * `json`: one response. `download`: the response is a `{ url }` that contains a token, because browser downloads
   * can't send headers. The token works once within 60 seconds. `events`: server-sent events, read by fetch.
   */
  readonly responseType: 'json' | 'download' | 'events'
  /**
   * `file`: multipart/form-data with exactly one `file` after the fields (spec 7.1). The field `company` becomes
   * `companyId` in the body. Instead of a `file`, the field `upload` may contain the key of a file that was uploaded in
   * parts. `large-file`: the server stores the file on disk while it processes the file.
   */
  readonly takes: 'json' | 'file' | 'large-file'
  /** Rules for accepted files. If set, the call takes a `file` by default. */
  readonly files: FileRules | null
  /**
   * True if everyone may make this call while the company is offline. All other calls then work only for its staff and
   * impersonators.
   */
  readonly whileOffline: boolean
  /**
   * True if guests may make this call, but a call with an expired session gets a 401. Otherwise a signed-in person's
   * action would silently run as a guest's.
   */
  readonly keepsSession: boolean
  /**
   * `refused`: the call is not available during impersonation. Such calls move money, or change credentials or grants
   * (product rules, section 4).
   */
  readonly whileImpersonating: 'allowed' | 'refused'
  /**
   * Whether staff may make the call in a preview as a resident (`server/resident-preview.ts`). The name of a step means
   * that a successful call completes it. Calls that only read are always part of a preview.
   */
  readonly inPreview: boolean | PreviewActName
  /**
   * True if the response contains personal data of residents. If staff make such a call, an audit entry records the
   * request.
   */
  readonly personal: boolean
  /**
   * Whether the call stays available while its module is off (`shared/modules.ts`). `finish` is for links in emails,
   * money owed, and open records.
   */
  readonly whenOff: 'finish' | 'refused' | null
}

export type RequestOf<E> = E extends Endpoint<infer B, z.ZodMiniType> ? z.output<B> : never
export type RequestInputOf<E> = E extends Endpoint<infer B, z.ZodMiniType> ? z.input<B> : never
export type ResponseOf<E> = E extends Endpoint<z.ZodMiniType, infer A> ? z.output<A> : never

type Optional =
  | 'method'
  | 'scope'
  | 'idempotent'
  | 'responseType'
  | 'takes'
  | 'files'
  | 'whileOffline'
  | 'keepsSession'
  | 'whileImpersonating'
  | 'inPreview'
  | 'personal'
  | 'whenOff'

type EndpointInput<Body extends z.ZodMiniType, ResponseBody extends z.ZodMiniType> = Omit<
  Endpoint<Body, ResponseBody>,
  Optional
> &
  Partial<Pick<Endpoint<Body, ResponseBody>, Optional>>

/** Declares a call. By default, it is a POST with JSON, in the scope of a company. */
export function endpoint<Body extends z.ZodMiniType, ResponseBody extends z.ZodMiniType>(
  declared: EndpointInput<Body, ResponseBody>,
): Endpoint<Body, ResponseBody> {
  return {
    ...{ method: 'POST', scope: 'company', idempotent: false, responseType: 'json', files: null },
    takes: declared.files ? 'file' : 'json',
    ...{ whileOffline: false, keepsSession: false, whileImpersonating: 'allowed', personal: false, whenOff: null },
    inPreview: false,
    ...declared,
  }
}

/**
 * Declares a call that saves a form or runs an action. If the browser gets no response, it repeats the call with the
 * same key, and the action runs only once. By default, the response contains only success and a message.
 */
export const formCall = <Body extends z.ZodMiniType, ResponseBody extends z.ZodMiniType = typeof done>(
  declared: Omit<EndpointInput<Body, ResponseBody>, 'response' | 'idempotent'> & { response?: ResponseBody },
): Endpoint<Body, ResponseBody> =>
  endpoint({ idempotent: 'offered', response: done as unknown as ResponseBody, ...declared })

/** Declares a call for a file that a browser saves or opens. */
export const downloadCall = <Body extends z.ZodMiniType>(
  declared: Omit<EndpointInput<Body, typeof fileAddress>, 'response' | 'responseType'>,
): Endpoint<Body, typeof fileAddress> => endpoint({ responseType: 'download', response: fileAddress, ...declared })

export const audiencesOf = (access: Access): readonly Audience[] =>
  typeof access.audience === 'string' ? [access.audience] : access.audience
