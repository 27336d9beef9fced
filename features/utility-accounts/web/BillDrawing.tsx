import { useLingui } from '@lingui/react/macro'
import { renderSeal } from '../../../shared/plat.ts'
import { page } from '../../../web/page.ts'

/** Gray lines that represent text in the drawing: x, y, width. */
const blurs = [
  [24, 92, 92],
  [24, 106, 66],
  [24, 178, 150],
  [24, 196, 118],
  [24, 214, 134],
  [300, 178, 46],
  [300, 196, 46],
  [300, 214, 46],
] as const

/** Drawing of a bill that circles the two required numbers. The text next to the drawing has the same content. */
export function BillDrawing() {
  const { t } = useLingui()
  return (
    <svg aria-hidden viewBox="7 7 366 248" className="w-full max-w-form">
      <rect x="8" y="8" width="364" height="246" rx="4" className="fill-surface stroke-edge" strokeWidth="1.5" />
      <circle cx="38" cy="42" r="15" className="fill-none stroke-link" strokeWidth="1.5" />
      <text x="38" y="48" textAnchor="middle" className="fill-link font-bold font-display text-[16px]">
        {renderSeal(page().siteName).initial}
      </text>
      <rect x="62" y="32" width="96" height="8" rx="2" className="fill-edge" />
      <rect x="62" y="46" width="64" height="6" rx="2" className="fill-line" />
      <path d="M8 74H372M24 162H356M24 232H356" className="stroke-line" strokeWidth="1" />
      {blurs.map(([x, y, width]) => (
        <rect key={`${x} ${y}`} x={x} y={y} width={width} height="7" rx="2" className="fill-line" />
      ))}
      <g className="fill-ink text-[13px]">
        <text x="238" y="34" className="fill-muted">
          {t`Account`}
        </text>
        <text x="238" y="53" className="font-bold text-[17px]">
          100001
        </text>
        <text x="24" y="146" className="font-bold text-[14px]">
          {page().footer?.zipcode || '17011'}
        </text>
      </g>
      <rect x="226" y="16" width="134" height="48" rx="24" className="fill-none stroke-link" strokeWidth="3" />
      <rect x="14" y="128" width="66" height="26" rx="13" className="fill-none stroke-link" strokeWidth="3" />
      <path d="M300 244h46M300 248h46" className="stroke-ink" strokeWidth="1" />
    </svg>
  )
}
