import { Trans } from '@lingui/react/macro'
import { formatDate } from '../../../shared/dates.ts'
import { type RepeatRule, repeats as repeatRules } from '../../../shared/repeats.ts'
import { useResponse } from '../../../web/query.ts'
import { previewPlan } from '../contract.ts'

/** Shows the first days of a recurrence rule while staff enter the rule. */
export function FirstDays({ repeats, startsOn }: { repeats: RepeatRule; startsOn: string }) {
  const isWhole = repeatRules.safeParse(repeats).success && previewPlan.body.shape.startsOn.safeParse(startsOn).success
  const { data } = useResponse(previewPlan, { repeats, startsOn }, { enabled: isWhole })
  return (
    <p role="status" className="text-muted text-sm">
      {isWhole && data && data.days.length > 0 ? (
        <Trans>First dates: {data.days.map(formatDate).join('; ')}</Trans>
      ) : (
        <Trans>This schedule has no dates yet.</Trans>
      )}
    </p>
  )
}
