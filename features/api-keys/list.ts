import type { Access } from '../../shared/endpoint.ts'
import { choice, defineList, instant, text } from '../../shared/list.ts'
import { keyStates, keyUses } from './rules.ts'

const viewAccess: Access = { audience: 'municipality', privilege: ['integrations', 'view'] }

export const apiKeys = defineList('muni/return/api/keys', 'API Keys', {
  nouns: ['key', 'keys'],
  summary: "Lists the company's API keys without their secrets",
  access: viewAccess,
  ofCompany: true,
  columns: {
    name: text('Name', { primary: true }),
    use: choice('Access', keyUses),
    ending: text('Last characters', { chars: 6 }),
    state: choice('Status', keyStates, { priority: 1 }),
    madeAt: instant('Created', { sort: 'desc' }),
    madeBy: text('Created by', { priority: 3 }),
    usedAt: instant('Last used', { empty: 'Never' }),
    revokedBy: text('Revoked by', { priority: 3 }),
  },
})
