import type { Feature } from '../../server/feature.ts'
import { resourceContent } from './server/content.ts'
import { rentalPack } from './server/pack.ts'

export const rentalEditor: Feature = { calls: [], packs: [rentalPack], contents: [resourceContent] }
