import { createHash } from 'node:crypto'
import type { Endpoint } from '../shared/endpoint.ts'
import { auditIn, auditPlatform, type Deed } from './audit.ts'
import type { Arrived } from './call.ts'
import type { House } from './house.ts'

/** A list that turns its pages, or asks again because something changed, is one look. */
const ONE_LOOK_MS = 600_000
const MOST = 10_000

const recent = new WeakMap<House, Map<string, number>>()

/**
 * Writes down that staff looked at personal data of residents, and what they asked for (calls declared `personal`). The
 * same question of the same session counts once in ten minutes; over several portals, once for each of them.
 */
export async function auditLook(call: Arrived, endpoint: Endpoint): Promise<void> {
  const { house, session, town } = call
  // Whoever impersonates has every call written down.
  if (!endpoint.personal || !session || session.kind === 'citizen' || session.impersonation) return
  const asked = questionOf(call.body)
  if (!isNew(house, `${session.tokenHash.toString('base64')} ${endpoint.path} ${JSON.stringify(asked)}`)) return
  const deed: Deed = {
    action: 'view.personal_data',
    subject: { kind: 'call', id: endpoint.path },
    detail: { what: endpoint.summary, ...(Object.keys(asked).length > 0 && { asked }) },
  }
  if (town) await house.inCompany(town.id, (tx) => auditIn(tx, house.clock, town.id, call, deed))
  else await house.acrossCompanies((tx) => auditPlatform(tx, house.clock, call, deed))
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

function isNew(house: House, question: string): boolean {
  const looks = recent.get(house) ?? new Map<string, number>()
  recent.set(house, looks)
  const key = createHash('sha256').update(question).digest('base64')
  const now = house.clock.now().getTime()
  if (now - (looks.get(key) ?? -Infinity) < ONE_LOOK_MS) return false
  looks.delete(key)
  looks.set(key, now)
  // The oldest stand first: too many in the book are forgotten, and written down again.
  for (const oldest of looks.size > MOST ? looks.keys() : []) {
    looks.delete(oldest)
    if (looks.size <= MOST) break
  }
  return true
}
