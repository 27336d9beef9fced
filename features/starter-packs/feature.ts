import type { Feature } from '../../server/feature.ts'
import { addStarterPackCall } from './server/add-pack.ts'
import { starterPackCall, starterPacksCall } from './server/show-packs.ts'

export const starterPacks: Feature = { calls: [starterPacksCall, starterPackCall, addStarterPackCall] }
