import type { Feature } from '../../server/feature.ts'
import { listFaqsCall, searchFaqsCall } from './server/calls.ts'

export const faqs: Feature = {
  calls: [listFaqsCall, searchFaqsCall],
  demo: () => import('./demo.ts'),
}
