import type { Feature } from '../../server/feature.ts'
import { feeBookCall } from './server/book.ts'
import { feeRuleCalls } from './server/list.ts'
import { oneFeeRuleCall, removeFeeRuleCall, saveFeeRuleCall } from './server/save.ts'
import { feeSteps } from './server/setup-steps.ts'

export const feeRulesFeature: Feature = {
  setup: feeSteps,
  calls: [...feeRuleCalls, feeBookCall, oneFeeRuleCall, saveFeeRuleCall, removeFeeRuleCall],
  demo: () => import('./demo.ts'),
}
