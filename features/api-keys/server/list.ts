import { sql } from 'kysely'
import { signedIn } from '../../../server/call.ts'
import { implementList } from '../../../server/list.ts'
import { may } from '../../../shared/privileges.ts'
import { apiKeys } from '../list.ts'

export const apiKeyCalls = implementList(apiKeys, {
  table: sql`api_key`,
  unindexed: { all: 'A municipality has up to 20 active keys, so the list stays short.' },
  columns: {
    name: 'name',
    use: 'use',
    ending: 'ending',
    state: sql`CASE WHEN r.revoked_at IS NULL THEN 'active' ELSE 'revoked' END`,
    madeAt: 'made_at',
    madeBy: 'made_by',
    usedAt: 'used_at',
    revokedBy: 'revoked_by',
  },
  row: ({ state }, call) => ({
    can: { remove: state === 'active' && may(signedIn(call).privileges, 'integrations', 'update') },
  }),
})
