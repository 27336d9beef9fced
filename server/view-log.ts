import { createHash } from 'node:crypto'
import type { Endpoint } from '../shared/endpoint.ts'
import { auditCompany, auditPlatform, type AuditEntry } from './audit.ts'
import type { ReceivedCall } from './call.ts'
import type { AppContext } from './app-context.ts'

/**
 * Time during which repeated requests for a list, such as paging and refreshing, count as one view, in milliseconds.
 */
const SAME_VIEW_MS = 600_000
const MAX_STORED_VIEWS = 10_000

const recent = new WeakMap<AppContext, Map<string, number>>()

/**
 * Writes an audit entry when staff view residents' personal data, with the query. Covers the calls that are declared
 * `personal`. If a session repeats a query, each portal process audits it only once in ten minutes.
 */
export async function auditView(call: ReceivedCall, endpoint: Endpoint): Promise<void> {
  const { context, session, companyOrNull: company } = call
  // Skips impersonated calls, because every one of them is audited anyway.
  if (!endpoint.personal || !session || session.kind === 'citizen' || session.impersonation) return
  const query = questionOf(call.body)
  if (!isNew(context, `${session.tokenHash.toString('base64')} ${endpoint.path} ${JSON.stringify(query)}`)) return
  const auditEntry: AuditEntry = {
    action: 'view.personal_data',
    subject: { kind: 'call', id: endpoint.path },
    detail: { what: endpoint.summary, ...(Object.keys(query).length > 0 && { query }) },
  }
  if (company)
    await context.inCompany(company.id, (tx) => auditCompany(tx, context.clock, company.id, call, auditEntry))
  else await context.acrossCompanies((tx) => auditPlatform(tx, context.clock, call, auditEntry))
}

/** Returns the query without empty values and display options. */
function questionOf(body: unknown): Record<string, unknown> {
  const {
    cursor: _c,
    page: _p,
    pageSize: _s,
    sort: _o,
    direction: _d,
    companyId: _i,
    totals: _t,
    group: _g,
    ...rest
  } = Object(body)
  const isFilled = ([, value]: [string, unknown]) => value !== undefined && value !== '' && value !== null
  const filters = typeof rest.filters === 'object' ? Object.entries(rest.filters ?? {}).filter(isFilled) : []
  return Object.fromEntries(
    Object.entries({ ...rest, filters: filters.length > 0 ? Object.fromEntries(filters) : '' }).filter(isFilled),
  )
}

function isNew(context: AppContext, question: string): boolean {
  const views = recent.get(context) ?? new Map<string, number>()
  recent.set(context, views)
  const key = createHash('sha256').update(question).digest('base64')
  const now = context.clock.now().getTime()
  if (now - (views.get(key) ?? -Infinity) < SAME_VIEW_MS) return false
  views.delete(key)
  views.set(key, now)
  // If the map is full, drops the oldest entries. They come first in the map. A repeated view may then be audited
  // again.
  for (const oldest of views.size > MAX_STORED_VIEWS ? views.keys() : []) {
    views.delete(oldest)
    if (views.size <= MAX_STORED_VIEWS) break
  }
  return true
}
