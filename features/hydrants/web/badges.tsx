import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { translated } from '../../../shared/messages.ts'
import { classLabels, type FlowClass, inspectionLabels, type InspectionStatus } from '../rules.ts'
import { Text } from '../../../web/ui/Text.tsx'

const kinds = { current: 'good', due_soon: 'waiting', overdue: 'bad', unknown: 'neutral' } as const

export const InspectionBadge = ({ status }: { status: InspectionStatus }) => (
  <StatusBadge kind={kinds[status]}>{translated(inspectionLabels[status])}</StatusBadge>
)

/** Colors of the dot next to the class name. For accessibility, the color is never the only way to tell the class. */
const dots: Record<FlowClass, string> = { AA: '#4f9bd9', A: '#2e8b57', B: '#e08a1e', C: '#c0392b' }

export const ClassMark = ({ of }: { of: FlowClass }) => (
  <span className="inline-flex items-center gap-2 whitespace-nowrap">
    <span
      aria-hidden
      className="size-3.5 shrink-0 rounded-full border border-ink forced-color-adjust-none"
      style={{ background: dots[of] }}
    />
    <Text>{translated(classLabels[of])}</Text>
  </span>
)
