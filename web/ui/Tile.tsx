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

/** The pictures that a town can give its services, by the names that they are kept under. */
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

/** No icon draws a cog, the empty name (also called 'No-Icon') none at all (specification 2.8). A name we don't have is a cog too. */
export function iconOf(name: string | null): LucideIcon | null {
  if (name === '' || name === 'No-Icon') return null
  return icons[name ?? 'cog'] ?? Cog
}

export const iconNames: readonly string[] = Object.keys(icons)

interface TileProps {
  title: string
  /** What it is for. */
  children: ReactNode
  /** Null leaves the stub empty. */
  icon: LucideIcon | null
  /** Where a click leads, by a page load; without it the tile is no link. */
  href?: string | undefined
  /** Takes two columns, with a bigger title. */
  wide?: boolean
  /** Not offered now: dashed, said in words, and no link. */
  inactive?: boolean
  /** Links of its own, where the tile itself is none. */
  links?: ReactNode
  /** A picture in the lower right corner of a wide tile. */
  picture?: ReactNode
}

/** A service: a stub with its picture, a perforation, and what it is for. The stub inks in when it is pointed at. */
export function Tile({ title, children, icon: Icon, href, wide, inactive, links, picture }: TileProps) {
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
              // The whole tile is the link's area, its words are the title's.
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
        <p id={id} className={cx('mt-1 max-w-text text-muted', picture && 'md:me-56')}>
          {children}
        </p>
        {inactive && (
          <p className="mt-2 font-bold text-muted text-sm">
            <Trans>Not available online yet</Trans>
          </p>
        )}
        {links && !inactive && <div className="mt-3 flex flex-wrap gap-x-5 gap-y-2">{links}</div>}
      </div>
      {picture && <div className="pointer-events-none absolute end-10 bottom-0 hidden md:block">{picture}</div>}
    </li>
  )
}
