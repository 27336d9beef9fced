import { createHash } from 'node:crypto'
import type { Endpoint } from '../shared/endpoint.ts'
import { auditCompany, auditPlatform, type AuditEntry } from './audit.ts'
import type { Arrived } from './call.ts'
import type { AppContext } from './app-context.ts'

/** A list that turns its pages, or asks again because something changed, is one look. */
const ONE_LOOK_MS = 600_000
const MAX_LOOKS = 10_000

const recent = new WeakMap<AppContext, Map<string, number>>()

/**
 * Writes down that staff looked at personal data of residents, and what they asked for (calls declared `personal`). The
 * same question of the same session counts once in ten minutes; over several portals, once for each of them.
 */
export async function auditLook(call: Arrived, endpoint: Endpoint): Promise<void> {
  const { context, session, town } = call
  // Whoever impersonates has every call written down.
  if (!endpoint.personal || !session || session.kind === 'citizen' || session.impersonation) return
  const asked = questionOf(call.body)
  if (!isNew(context, `${session.tokenHash.toString('base64')} ${endpoint.path} ${JSON.stringify(asked)}`)) return
  const auditEntry: AuditEntry = {
    action: 'view.personal_data',
    subject: { kind: 'call', id: endpoint.path },
    detail: { what: endpoint.summary, ...(Object.keys(asked).length > 0 && { asked }) },
  }
  if (town) await context.inCompany(town.id, (tx) => auditCompany(tx, context.clock, town.id, call, auditEntry))
  else await context.acrossCompanies((tx) => auditPlatform(tx, context.clock, call, auditEntry))
}

/** What was looked for, without how it is shown and without what was left empty. */
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
  const told = ([, value]: [string, unknown]) => value !== undefined && value !== '' && value !== null
  const filters = typeof rest.filters === 'object' ? Object.entries(rest.filters ?? {}).filter(told) : []
  return Object.fromEntries(
    Object.entries({ ...rest, filters: filters.length > 0 ? Object.fromEntries(filters) : '' }).filter(told),
  )
}

function isNew(context: AppContext, question: string): boolean {
  const looks = recent.get(context) ?? new Map<string, number>()
  recent.set(context, looks)
  const key = createHash('sha256').update(question).digest('base64')
  const now = context.clock.now().getTime()
  if (now - (looks.get(key) ?? -Infinity) < ONE_LOOK_MS) return false
  looks.delete(key)
  looks.set(key, now)
  // The oldest stand first: too many in the book are forgotten, and written down again.
  for (const oldest of looks.size > MAX_LOOKS ? looks.keys() : []) {
    looks.delete(oldest)
    if (looks.size <= MAX_LOOKS) break
  }
  return true
}
