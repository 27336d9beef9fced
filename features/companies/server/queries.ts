import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { Company } from '../../../server/hosts.ts'
import { isOffered } from '../../../server/modules.ts'
import type { SearchSource } from '../../../server/findable.ts'
import { moduleNames, modules } from '../../../shared/modules.ts'
import { translated } from '../../../shared/messages.ts'
import { isBuilt } from '../../../shared/all-screens.ts'
import { TOP_SERVICES } from '../rules.ts'

type Flag = 0 | 1

/** Returns 1 (active) if the company selected the item and the item's screen is available, else 0. */
const activeIf = (requested: Flag, url: string, company: Company): Flag =>
  requested === 1 && isBuilt(url) && isOffered(company, url) ? 1 : 0

/** Lists the company's landing tiles: the first five and the others (spec 2.8). */
export async function listServices(tx: Tx, company: Company) {
  const rows = await tx
    .selectFrom('company_service')
    .select(['id', 'name', 'description', 'icon', 'url', 'is_active', 'button_text'])
    .where('company_id', '=', company.id)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const services = rows.map((row) => ({ ...row, is_active: activeIf(row.is_active, row.url, company) }))
  return { topServices: services.slice(0, TOP_SERVICES), otherServices: services.slice(TOP_SERVICES) }
}

/**
 * Phrases that find a service in the portal's search, by the path of the service. They work even if the company renames
 * the service's tile.
 */
const searchPhrases: Readonly<Record<string, readonly string[]>> = {
  '/utility-portal': ['Pay my water bill', 'See how much water I use', 'Utility bill', 'Water consumption', 'AutoPay'],
  '/pay-bills': ['Pay online', 'Pay a parking ticket', 'Pay property tax', 'Pay a fee', 'Make a payment'],
  '/forms-documents': ['Fill out a form', 'Apply for a permit', 'Apply for a license', 'Download a document'],
  '/communication': ['Report a problem', 'Make a complaint', 'Contact the municipality', 'Contact the office'],
  '/relocate': ['I am moving', 'Start or stop service', 'Change of address'],
  '/register-property': ['Sign up for alerts', 'Start a registration'],
  '/resource-rentals': ['Rent a room', 'Reserve a party space', 'Borrow equipment', 'Reserve a facility'],
  '/frequently-asked-questions': ['Help', 'Questions and answers'],
}

/** Makes active services available to the portal's search. */
export const findableServices: SearchSource = {
  kind: 'services',
  all: async (tx, { company }) => {
    const { topServices, otherServices } = await listServices(tx, company)
    return [...topServices, ...otherServices]
      .filter(({ is_active }) => is_active === 1)
      .map(({ name, description, url }) => ({
        ...{ title: name, text: description, alternatives: searchPhrases[url]?.map(translated) ?? [], path: url },
      }))
  },
}

/** Lists the company's modules by url. */
export const componentsOf = (company: Company): { url: string; is_active: Flag }[] =>
  moduleNames
    .map((name) => ({ url: modules[name].url, is_active: activeIf(1, modules[name].url, company) }))
    .toSorted((a, b) => (a.url < b.url ? -1 : 1))

export interface Notice {
  id: string
  location: 'landing' | 'back_office'
  message: string
  until: string
}

const noticeColumns = ['id', 'location', 'message', 'until'] as const

/** Lists the product's notices that are still valid on this day. */
export async function listProductNotices(tx: Tx, today: string): Promise<Notice[]> {
  const rows = await tx.selectFrom('announcement').select(noticeColumns).where('until', '>=', today).execute()
  return sorted(rows.map((row) => ({ ...row, id: `all-${row.id}` })))
}

/** Lists the product's and the company's valid notices, earliest end first. The day is in the company's time zone. */
export async function listNotices(tx: Tx, company: CompanyId, today: string): Promise<Notice[]> {
  const [all, own] = await Promise.all([
    listProductNotices(tx, today),
    tx
      .selectFrom('company_announcement')
      .select(noticeColumns)
      .where('company_id', '=', company)
      .where('until', '>=', today)
      .execute(),
  ])
  return sorted([...all, ...own.map((row) => ({ ...row, id: `own-${row.id}` }))])
}

const sorted = (notices: readonly Notice[]): Notice[] =>
  notices.toSorted((a, b) => a.until.localeCompare(b.until) || a.id.localeCompare(b.id))
