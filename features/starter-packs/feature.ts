import type { Feature } from '../../server/feature.ts'
import { addStarterPackCall } from './server/add-pack.ts'
import { compareStarterPackCall, updateStarterItemCall } from './server/newer-texts.ts'
import { starterPackCall, starterPacksCall } from './server/show-packs.ts'

export const starterPacks: Feature = {
  demo: () => import('./demo.ts'),
  calls: [starterPacksCall, starterPackCall, addStarterPackCall, compareStarterPackCall, updateStarterItemCall],
}
