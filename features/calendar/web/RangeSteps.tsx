import { Trans } from '@lingui/react/macro'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button, IconButton } from '../../../web/ui/Button.tsx'

interface RangeStepsProps {
  /** Which days are on show. */
  title: string
  labels: { previous: string; next: string }
  /** Today is among them already. */
  here: boolean
  onStep: (way: -1 | 1) => void
  onToday: () => void
}

/** Back, on, and to today (specification 2.11). */
export const RangeSteps = ({ title, labels, here, onStep, onToday }: RangeStepsProps) => (
  <div className="flex flex-wrap items-center gap-2">
    <IconButton icon={ChevronLeft} label={labels.previous} className={step} onClick={() => onStep(-1)} />
    <p role="status" className="min-w-48 text-center font-bold tabular-nums">
      {title}
    </p>
    <IconButton icon={ChevronRight} label={labels.next} className={step} onClick={() => onStep(1)} />
    <Button disabled={here} onClick={onToday}>
      <Trans>Today</Trans>
    </Button>
  </div>
)

const step = 'size-10! border-edge! bg-surface'
