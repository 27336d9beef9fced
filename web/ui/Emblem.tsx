import { useMemo } from 'react'
import { renderPlat, renderSeal, PLAT_HEIGHT, PLAT_WIDTH } from '../../shared/plat.ts'
import { cx } from './cx.ts'

/**
 * Decorative street plan (plat), generated for the company. Shown behind a large heading on a dark background. It fades
 * behind the text.
 */
export function Plat({ seed, className }: { seed: string; className?: string }) {
  const { angle, blocks, lots, river } = useMemo(() => renderPlat(seed), [seed])
  return (
    <svg
      aria-hidden
      className={cx('plat print:hidden', className)}
      viewBox={`0 0 ${PLAT_WIDTH} ${PLAT_HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      fill="none"
    >
      <g transform={`rotate(${angle} ${PLAT_WIDTH / 2} ${PLAT_HEIGHT / 2})`} className="stroke-deep-line">
        <path d={lots} strokeWidth="0.8" opacity="0.7" />
        <path d={blocks} strokeWidth="1.4" />
      </g>
      <path d={river} className="stroke-deep" strokeWidth="40" />
      <path d={river} className="stroke-deep-line" strokeWidth="26" opacity="0.8" />
    </svg>
  )
}

interface SealProps {
  name: string
  /** Width and height in pixels. */
  size?: number
  className?: string
}

/** Seal for a company without a logo. The company's name is always next to it, so screen readers skip the seal. */
export function Seal({ name, size = 44, className }: SealProps) {
  const { initial, beads } = useMemo(() => renderSeal(name), [name])
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 64 64" className={cx('seal shrink-0', className)}>
      <circle cx="32" cy="32" r="31" className="fill-deep stroke-white" strokeWidth="1" />
      <circle cx="32" cy="32" r="28.2" fill="none" className="stroke-white" strokeWidth="1.1" />
      {beads.map(({ x, y }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r="0.9" className="fill-white" />
      ))}
      <circle cx="32" cy="32" r="21.5" className="fill-white" />
      <text x="32" y="41.5" textAnchor="middle" className="fill-deep font-bold font-display text-[26px]">
        {initial}
      </text>
      <path d="M22 47.5h20" className="stroke-deep" strokeWidth="1" strokeDasharray="1.4 1.4" />
    </svg>
  )
}

/**
 * Classes for the height of a logo in pixels. The policy of a page permits no `style` attributes. Attributes for the
 * width and height would change the height of a logo with another aspect ratio.
 */
const LOGO_SIZES = {
  36: 'h-9 w-18',
  44: 'h-11 w-22',
  48: 'h-12 w-24',
  52: 'h-13 w-26',
  64: 'h-16 w-32',
  88: 'h-22 w-44',
}

interface LogoProps extends Omit<SealProps, 'size'> {
  size?: keyof typeof LOGO_SIZES
  /** URL of the logo. If null, the seal is shown instead. */
  url: string | null
}

/** The company's logo. Its space is reserved in a two-to-one ratio, so that a wide logo is readable. */
export const Logo = ({ url, name, size = 44, className }: LogoProps) =>
  url ? (
    <img src={url} alt="" className={cx('min-w-0 shrink object-contain object-left', LOGO_SIZES[size], className)} />
  ) : (
    <Seal name={name} size={size} {...(className && { className })} />
  )
