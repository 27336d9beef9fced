import { Text } from '../../Text.tsx'
import './chart.css'

/** Fill patterns for the parts of a bar, so that parts never differ only by color. At most five parts. */
const appearances = ['full', 'empty', 'striped', 'dotted', 'crossed'] as const

/** Returns the fill of the bar part at this index. The SVG must contain `Patterns` with the same id. */
export function fillOf(id: string, index: number): string {
  const pattern = appearances[index % appearances.length] ?? 'full'
  if (pattern === 'full') return 'var(--link)'
  return pattern === 'empty' ? 'var(--tint-2)' : `url(#${id}-${pattern})`
}

export const Patterns = ({ id }: { id: string }) => (
  <defs>
    <pattern id={`${id}-striped`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="6" height="6" className="fill-surface" />
      <rect width="2.5" height="6" className="fill-link" />
    </pattern>
    <pattern id={`${id}-dotted`} width="6" height="6" patternUnits="userSpaceOnUse">
      <rect width="6" height="6" className="fill-surface" />
      <circle cx="3" cy="3" r="1.4" className="fill-link" />
    </pattern>
    <pattern id={`${id}-crossed`} width="7" height="7" patternUnits="userSpaceOnUse">
      <rect width="7" height="7" className="fill-surface" />
      <path d="M0 0h7M0 0v7" className="stroke-link" strokeWidth="2" />
    </pattern>
  </defs>
)

export const Legend = ({ id, labels }: { id: string; labels: readonly string[] }) => (
  <ul className="chart mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
    {labels.map((label, index) => (
      <li key={label} className="flex items-center gap-2">
        <svg width="16" height="16" aria-hidden className="shrink-0">
          <rect
            x="0.75"
            y="0.75"
            width="14.5"
            height="14.5"
            fill={fillOf(id, index)}
            className="stroke-link"
            strokeWidth="1.5"
          />
        </svg>
        <Text>{label}</Text>
      </li>
    ))}
  </ul>
)
