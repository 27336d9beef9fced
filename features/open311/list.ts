import type { Access } from '../../shared/endpoint.ts'
import { choice, defineList, instant, text, whole } from '../../shared/list.ts'

export const viewPortals: Access = { audience: 'municipality', privilege: ['integrations', 'view'] }

export const portalStates = { active: 'Active', paused: 'Paused' } as const

/** Other portals that receive requests through Open311. */
export const otherPortals = defineList('muni/return/other/portals', 'Other Portals', {
  nouns: ['portal', 'portals'],
  summary: 'Lists the other portals that receive requests through Open311',
  access: viewPortals,
  ofCompany: true,
  columns: {
    name: text('Name', { primary: true, sort: 'asc' }),
    url: text('Address', { priority: 2 }),
    state: choice('Status', portalStates),
    routes: whole('Categories'),
    pending: whole('Waiting'),
    problem: text('Last error', { priority: 2 }),
    servicesAt: instant('Services loaded', { empty: 'Never', priority: 3 }),
  },
})
