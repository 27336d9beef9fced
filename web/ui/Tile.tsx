import { Trans } from '@lingui/react/macro'
import {
  ArrowRight,
  Bell,
  BookOpen,
  CalendarDays,
  Car,
  CircleQuestionMark,
  Cog,
  CreditCard,
  Dog,
  Droplets,
  FileCheck,
  Flame,
  Hammer,
  House,
  Landmark,
  Lightbulb,
  type LucideIcon,
  MapPin,
  MessageSquare,
  Phone,
  Receipt,
  ShieldCheck,
  Trees,
  Truck,
  Users,
} from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'

/** Icons that a company can choose for its services, by stored name. */
const icons: Record<string, LucideIcon> = {
  bell: Bell,
  book: BookOpen,
  calendar: CalendarDays,
  car: Car,
  cog: Cog,
  'credit-card': CreditCard,
  dog: Dog,
  droplets: Droplets,
  'file-check': FileCheck,
  flame: Flame,
  hammer: Hammer,
  help: CircleQuestionMark,
  home: House,
  landmark: Landmark,
  lightbulb: Lightbulb,
  'map-pin': MapPin,
  'message-square': MessageSquare,
  phone: Phone,
  receipt: Receipt,
  shield: ShieldCheck,
  trees: Trees,
  truck: Truck,
  users: Users,
}

/**
 * Returns the icon of a service (spec 2.8). Null and unknown names show a cog. The empty name and 'No-Icon' show no
 * icon.
 */
export function iconOf(name: string | null): LucideIcon | null {
  if (name === '' || name === 'No-Icon') return null
  return icons[name ?? 'cog'] ?? Cog
}

export const iconNames: readonly string[] = Object.keys(icons)

interface TileProps {
  title: string
  children: ReactNode
  /** Null leaves the icon area empty. */
  icon: LucideIcon | null
  /** URL that a click opens with a page load. Without it, the tile is not a link. */
  href?: string | undefined
  /** True if the tile spans two columns and has a larger title. */
  wide?: boolean
  /** True if the service is currently unavailable. The tile then has a dashed border and a label, and is not a link. */
  inactive?: boolean
  /** Links inside the tile, if the tile itself is not a link. */
  links?: ReactNode
  /** An illustration in the lower right corner of a wide tile. */
  illustration?: ReactNode
}

/**
 * Tile of a service that looks like a ticket: an icon area, a dotted line, and the description. The icon area changes
 * color on hover.
 */
export function Tile({ title, children, icon: Icon, href, wide, inactive, links, illustration }: TileProps) {
  const id = useId()
  const live = href !== undefined && !inactive
  return (
    <li
      className={cx(
        'group relative flex min-h-32 rounded-sm border bg-surface',
        inactive ? 'border-edge border-dashed' : 'border-line',
        live && 'transition-shadow hover:shadow-raised',
        wide && 'md:col-span-2',
      )}
    >
      <div
        aria-hidden
        className={cx(
          'grid w-16 shrink-0 place-items-start justify-center rounded-s-[3px] pt-6 md:w-20',
          inactive ? 'text-muted' : 'bg-tint text-link',
          live &&
            'transition-colors group-focus-within:bg-brand group-focus-within:text-on-brand group-hover:bg-brand group-hover:text-on-brand',
        )}
      >
        {Icon && <Icon size={28} strokeWidth={1.75} />}
      </div>
      <div
        className={cx('min-w-0 flex-1 border-s-2 border-dotted px-5 py-5', inactive ? 'border-edge' : 'border-line')}
      >
        <div className="flex items-start justify-between gap-3">
          <h3 className={cx('min-w-0 wrap-anywhere leading-tight', wide ? 'text-tile-wide' : 'text-tile')}>
            {live ? (
              // The link covers the whole tile, and its label is the title.
              <a
                href={href}
                aria-describedby={id}
                className="rounded-sm after:absolute after:inset-0 after:content-['']"
              >
                {title}
              </a>
            ) : (
              title
            )}
          </h3>
          {live && <ArrowRight size={18} aria-hidden className="mt-1 shrink-0 text-muted group-hover:text-link" />}
        </div>
        <p id={id} className={cx('mt-1 max-w-text text-muted', illustration && 'md:me-56')}>
          {children}
        </p>
        {inactive && (
          <p className="mt-2 font-bold text-muted text-sm">
            <Trans>Not available online yet</Trans>
          </p>
        )}
        {links && !inactive && <div className="mt-3 flex flex-wrap gap-x-5 gap-y-2">{links}</div>}
      </div>
      {illustration && (
        <div className="pointer-events-none absolute end-10 bottom-0 hidden md:block">{illustration}</div>
      )}
    </li>
  )
}
