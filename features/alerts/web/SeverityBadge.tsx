import { translated } from '../../../shared/words.ts'
import { StatusBadge, type StatusKind } from '../../../web/ui/StatusBadge.tsx'
import { type Severity, severityLabels } from '../rules.ts'

const kinds: Record<Severity, StatusKind> = {
  Extreme: 'bad',
  Severe: 'bad',
  Moderate: 'attention',
  Minor: 'neutral',
  Unknown: 'neutral',
}

/** How severe an alert is, in a word unless more is said. */
export const SeverityBadge = ({ of, words }: { of: Severity; words?: string }) => (
  <StatusBadge kind={kinds[of]}>{words ?? translated(severityLabels[of])}</StatusBadge>
)
