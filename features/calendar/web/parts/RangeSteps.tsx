import { Trans } from '@lingui/react/macro'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button, IconButton } from '../../../../web/ui/Button.tsx'
import type { Range } from './range.tsx'

interface RangeStepsProps {
  range: Range
  /** Called with the first day to show. Null means the range that contains today. */
  onShow: (from: string | null) => void
}

/** Shows the buttons for the previous range, the next range and today (spec 2.11). */
export const RangeSteps = ({ range: { title, labels, here, step }, onShow }: RangeStepsProps) => (
  <div className="flex flex-wrap items-center gap-2">
    <IconButton icon={ChevronLeft} label={labels.previous} className={arrow} onClick={() => onShow(step(-1))} />
    <p role="status" className="min-w-48 text-center font-bold tabular-nums">
      {title}
    </p>
    <IconButton icon={ChevronRight} label={labels.next} className={arrow} onClick={() => onShow(step(1))} />
    <Button disabled={here} onClick={() => onShow(null)}>
      <Trans>Today</Trans>
    </Button>
  </div>
)

const arrow = 'size-10! border-edge! bg-surface'
