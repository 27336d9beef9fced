import type { Feature } from '../../server/feature.ts'
import { makeApiKeyCall, revokeApiKeyCall } from './server/keys.ts'
import { apiKeyCalls } from './server/list.ts'

export const apiKeysFeature: Feature = {
  calls: [...apiKeyCalls, makeApiKeyCall, revokeApiKeyCall],
  demo: () => import('./demo.ts'),
}
