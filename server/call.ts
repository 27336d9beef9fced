import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { ResponseOf, RequestOf, Endpoint } from '../shared/endpoint.ts'
import type { ModuleName } from '../shared/modules.ts'
import { auditCompany, type AuditEntry } from './audit.ts'
import { notSignedIn } from './errors.ts'
import type { Company, Host } from './hosts.ts'
import type { AppContext } from './app-context.ts'
import { notePreviewRows } from './current-preview.ts'
import { storeResponse } from './stored-responses.ts'
import type { LiveEvent } from './live.ts'
import { type Session, sessionName, whereaboutsOf } from './sessions.ts'
import type { Tx } from './tenancy.ts'

/** Input of a call's handler. */
export interface Call<Body = unknown> {
  readonly context: AppContext
  readonly body: Body
  readonly host: Host
  /** Company of the call. Only set for calls of scope `company`. */
  readonly company: Company
  readonly session: Session | null
  readonly requestId: string
  readonly address: string
  /** User agent of the caller's browser. */
  readonly device: string
  /** Idempotency key that the caller sent. Only set for idempotent calls. */
  readonly idempotencyKey: string
  /** Uploaded file. Only set for calls that accept a file. */
  readonly file: Upload
  /**
   * Uploaded file on disk. Only set for calls that accept a large file. The portal deletes the file after the response.
   */
  readonly largeFile: LargeUpload
  /** Runs a transaction that sees only this company's rows. */
  inCompany<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Runs all work of a call in one transaction and saves the response in the same transaction. A call repeated with the
   * same idempotency key runs only once, even after a crash.
   */
  once<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Read-only form of `inCompany`. */
  reading<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  audit(tx: Tx, auditEntry: AuditEntry): Promise<void>
  /**
   * Creates another call for the same person as part of this call. Both run in this transaction, so they commit or roll
   * back together.
   */
  within<Inner>(tx: Tx, body: Inner): Call<Inner>
}

/** File as uploaded. Its name and type are not trusted. */
export interface Upload {
  name: string
  content: Buffer
}

/** Large file on disk. */
export interface LargeUpload {
  name: string
  path: string
  bytes: number
}

/** File that the portal streams to the browser. `name` is its name in the download folder. */
export interface Download {
  name: string
  contentType: string
  stream: Readable
}

type HandlerResult<E> = E extends { responseType: infer A }
  ? A extends 'download'
    ? Download
    : A extends 'events'
      ? { topic: LiveEvent['topic'] }
      : ResponseOf<E>
  : never

export interface Handler {
  endpoint: Endpoint
  /** Module of the call. Undefined for calls that no municipality can turn off. */
  module?: ModuleName
  handle: (call: Call<never>) => Promise<unknown>
  /**
   * Checks a download before its token is issued. If the check refuses the download, the person can still read the
   * reason.
   */
  checkBeforeToken?: ((call: Call<never>) => Promise<void>) | undefined
}

/** Implements a call. The types of the body and the response come from the declaration of the call. */
export const implement = <E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<RequestOf<E>>) => Promise<HandlerResult<E> | ResponseOf<E>>,
  checkBeforeToken?: (call: Call<RequestOf<E>>) => Promise<void>,
): Handler => ({ endpoint, handle, checkBeforeToken })

/** Returns the session of a call that is never public. */
export function signedIn(call: Call): Session {
  if (!call.session) throw notSignedIn()
  return call.session
}

/** Returns the caller's name, for records. */
export function callerName(call: Call): string {
  return sessionName(signedIn(call))
}

/**
 * Received call. `companyOrNull` is null if the call does not belong to a company. Reading `company` is then a
 * programming error.
 */
export class ReceivedCall<Body = unknown> implements Call<Body> {
  readonly context: AppContext
  readonly host: Host
  readonly companyOrNull: Company | null
  readonly session: Session | null
  readonly requestId: string
  readonly address: string
  readonly idempotencyKey: string
  readonly body: Body
  readonly #request: FastifyRequest
  readonly #endpoint: Endpoint | undefined
  readonly #upload: Upload | undefined
  readonly #large: LargeUpload | undefined
  /** Transaction of the outer call, if this call is part of another. */
  readonly #partIn: Tx | undefined

  constructor(
    input: Pick<Call, 'context' | 'host' | 'session'> & {
      companyOrNull: Company | null
      request: FastifyRequest
      endpoint?: Endpoint | undefined
      body: Body
      partIn?: Tx | undefined
      upload?: Upload | undefined
      large?: LargeUpload | undefined
    },
  ) {
    const { context, host, companyOrNull, session, request, endpoint, body, upload, large, partIn } = input
    // A call within another call has no idempotency key, because the outer call saves its response.
    const key = partIn ? '' : request.headers['idempotency-key']
    this.context = context
    this.host = host
    this.companyOrNull = companyOrNull
    this.session = session
    this.body = body
    this.requestId = request.id
    this.address = request.ip
    this.#request = request
    this.#endpoint = endpoint
    this.#upload = upload
    this.#large = large
    this.#partIn = partIn
    this.idempotencyKey = typeof key === 'string' ? key : ''
  }

  /** Copies the call and adds the uploaded files. */
  with(sent: { upload?: Upload | undefined; large?: LargeUpload | undefined }): ReceivedCall<Body> {
    return new ReceivedCall({
      ...this,
      request: this.#request,
      endpoint: this.#endpoint,
      partIn: this.#partIn,
      ...sent,
    })
  }

  within<Inner>(tx: Tx, body: Inner): ReceivedCall<Inner> {
    return new ReceivedCall({ ...this, request: this.#request, body, partIn: tx })
  }

  get company(): Company {
    if (!this.companyOrNull) throw new Error('this call is not scoped to a company')
    return this.companyOrNull
  }

  get file(): Upload {
    if (!this.#upload) throw new Error('this call takes no file')
    return this.#upload
  }

  get largeFile(): LargeUpload {
    if (!this.#large) throw new Error('this call takes no large file')
    return this.#large
  }

  get device(): string {
    return whereaboutsOf(this.#request).device
  }

  inCompany<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#partIn) return work(this.#partIn)
    const { company, context, session } = this
    const preview = session?.impersonation?.preview
    return context.inCompany(company.id, preview ? (tx) => notePreviewRows(tx, company.id, preview, work) : work)
  }

  once<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.inCompany(async (tx) => {
      const response = await work(tx)
      const [company_id, key] = [this.company.id, this.idempotencyKey]
      if (this.#endpoint?.idempotent && key !== '')
        await storeResponse(tx, { company_id, call: this.#endpoint.path, key }, response, this.context.secrets)
      return response
    })
  }

  reading<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#partIn ? work(this.#partIn) : this.context.readingCompany(this.company.id, work)
  }

  audit(tx: Tx, auditEntry: AuditEntry): Promise<void> {
    return auditCompany(tx, this.context.clock, this.company.id, this, auditEntry)
  }
}
