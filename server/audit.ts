import type { Clock } from './clock.ts'
import type { Session } from './sessions.ts'
import type { CompanyId, Tx } from './tenancy.ts'

/** One thing that was done: an action's name, what it was done to, and facts (never secrets, never card data). */
export interface Deed {
  action: string
  subject?: string
  detail?: Record<string, unknown>
}

export interface Doer {
  session: Session | null
  requestId: string
  /** Set where nobody asked for it: a job, an import. */
  kind?: 'system'
}

/** Writes a deed into a town's audit log, in the transaction that does it. */
export async function auditIn(tx: Tx, clock: Clock, company: CompanyId, doer: Doer, deed: Deed): Promise<void> {
  await tx
    .insertInto('audit_event')
    .values({
      company_id: company,
      at: clock.now(),
      actor_kind: doer.session?.kind ?? doer.kind ?? 'guest',
      actor_id: doer.session?.personId ?? null,
      impersonator_id: doer.session?.impersonatorId ?? null,
      action: deed.action,
      subject: deed.subject ?? '',
      detail: JSON.stringify(deed.detail ?? {}),
      request_id: doer.requestId,
    })
    .execute()
}

/** Writes a deed of the platform's staff that belongs to no one town. */
export async function auditPlatform(tx: Tx, clock: Clock, doer: Doer, deed: Deed): Promise<void> {
  await tx
    .insertInto('platform_audit_event')
    .values({
      at: clock.now(),
      actor_id: doer.session?.personId ?? null,
      action: deed.action,
      subject: deed.subject ?? '',
      detail: JSON.stringify(deed.detail ?? {}),
      request_id: doer.requestId,
    })
    .execute()
}
