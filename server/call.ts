import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { ResponseOf, RequestOf, Endpoint } from '../shared/endpoint.ts'
import { auditCompany, type AuditEntry } from './audit.ts'
import { notSignedIn } from './errors.ts'
import type { Company, Host } from './hosts.ts'
import type { AppContext } from './app-context.ts'
import { keepAnswer } from './stored-answers.ts'
import type { LiveEvent } from './live.ts'
import { type Session, whereaboutsOf } from './sessions.ts'
import type { Tx } from './tenancy.ts'

/** What a call's handler is given. */
export interface Call<Body = unknown> {
  readonly context: AppContext
  readonly body: Body
  readonly host: Host
  /** The town that the call is about. Only there for calls of scope `company`. */
  readonly company: Company
  readonly session: Session | null
  readonly requestId: string
  readonly address: string
  /** What the caller's browser calls itself. */
  readonly device: string
  /** Given for idempotent calls alone: the caller's key. */
  readonly idempotencyKey: string
  /** What was sent. Only there for calls that take a file. */
  readonly file: Upload
  /** Likewise, of calls that take a large one. It is gone when the call is answered. */
  readonly largeFile: LargeUpload
  /** A transaction in which the database shows this town's rows alone. */
  inCompany<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The same for work that is all that the call does. Sent again under its key, it is done once, also where the portal
   * died after it: its answer is kept in the same transaction.
   */
  once<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** `inCompany` for what only reads. */
  reading<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  audit(tx: Tx, auditEntry: AuditEntry): Promise<void>
  /**
   * A call that the same person makes as a part of this one: all it does is done in this transaction, so that both count or
   * neither does.
   */
  within<Inner>(tx: Tx, body: Inner): Call<Inner>
}

/** A file as somebody sent it: nothing that is said of it is believed. */
export interface Upload {
  name: string
  content: Buffer
}

/** A large file, on disk. */
export interface LargeUpload {
  name: string
  path: string
  bytes: number
}

/** A file that streams. `name` is what the browser saves it as. */
export interface Download {
  name: string
  contentType: string
  stream: Readable
}

type HandlerResult<E> = E extends { answers: infer A }
  ? A extends 'download'
    ? Download
    : A extends 'events'
      ? { topic: LiveEvent['topic'] }
      : ResponseOf<E>
  : never

export interface Handler {
  endpoint: Endpoint
  handle: (call: Call<never>) => Promise<unknown>
  /** Refuses a download before its ticket is given out, where the person can still read why. */
  beforeTicket?: ((call: Call<never>) => Promise<void>) | undefined
}

/** Says what a call does. The types of body and answer come from its declaration. */
export const implement = <E extends Endpoint>(
  endpoint: E,
  handle: (call: Call<RequestOf<E>>) => Promise<HandlerResult<E> | ResponseOf<E>>,
  beforeTicket?: (call: Call<RequestOf<E>>) => Promise<void>,
): Handler => ({ endpoint, handle, beforeTicket })

/** The session, for calls that are never public. */
export function signedIn(call: Call): Session {
  if (!call.session) throw notSignedIn()
  return call.session
}

/** The name of whoever calls, for what is kept of it. */
export function callerName(call: Call): string {
  const { firstName, lastName } = signedIn(call)
  return `${firstName} ${lastName}`.trim()
}

export const CALL_PREFIX = '/api/v2/'

/** A call as it arrived. `town` is null where the call is not scoped to a company; asking for it then is our own mistake. */
export class Arrived<Body = unknown> implements Call<Body> {
  readonly context: AppContext
  readonly host: Host
  readonly town: Company | null
  readonly session: Session | null
  readonly requestId: string
  readonly address: string
  readonly idempotencyKey: string
  readonly body: Body
  readonly #request: FastifyRequest
  readonly #endpoint: Endpoint | undefined
  readonly #upload: Upload | undefined
  readonly #large: LargeUpload | undefined
  /** The transaction of the call that this one is a part of. */
  readonly #partIn: Tx | undefined

  constructor(
    known: Pick<Call, 'context' | 'host' | 'session'> & {
      town: Company | null
      request: FastifyRequest
      endpoint?: Endpoint | undefined
      body: Body
      partIn?: Tx | undefined
      upload?: Upload | undefined
      large?: LargeUpload | undefined
    },
  ) {
    const { context, host, town, session, request, endpoint, body, upload, large, partIn } = known
    // A part of a call is kept with the whole, under no key of its own.
    const key = partIn ? '' : request.headers['idempotency-key']
    this.context = context
    this.host = host
    this.town = town
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

  /** The same call, with what was sent by it. */
  with(sent: { upload?: Upload | undefined; large?: LargeUpload | undefined }): Arrived<Body> {
    return new Arrived({ ...this, request: this.#request, endpoint: this.#endpoint, partIn: this.#partIn, ...sent })
  }

  within<Inner>(tx: Tx, body: Inner): Arrived<Inner> {
    return new Arrived({ ...this, request: this.#request, body, partIn: tx })
  }

  get company(): Company {
    if (!this.town) throw new Error('this call is not scoped to a company')
    return this.town
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
    return this.#partIn ? work(this.#partIn) : this.context.inCompany(this.company.id, work)
  }

  once<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.inCompany(async (tx) => {
      const answer = await work(tx)
      const [company_id, key] = [this.company.id, this.idempotencyKey]
      if (this.#endpoint?.idempotent && key !== '')
        await keepAnswer(tx, { company_id, call: this.#endpoint.path, key }, answer, this.context.secrets)
      return answer
    })
  }

  reading<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#partIn ? work(this.#partIn) : this.context.readingCompany(this.company.id, work)
  }

  audit(tx: Tx, auditEntry: AuditEntry): Promise<void> {
    return auditCompany(tx, this.context.clock, this.company.id, this, auditEntry)
  }
}
