import { ArrowRight } from 'lucide-react'
import type { BootDirectoryEntry } from '../../../shared/boot.ts'
import { Logo } from '../../../web/ui/Emblem.tsx'

/**
 * Sets the company's colors for its tile. The rest of this page uses the product's colors. The policy of a page permits
 * no `style` attributes, so the server writes these colors into the style of the page (`page-texts.ts`).
 */
const paint =
  ({ deep, tint }: BootDirectoryEntry['colors']) =>
  (tile: HTMLElement | null): void => {
    tile?.style.setProperty('--deep', deep)
    tile?.style.setProperty('--tint', tint)
  }

export const CompanyTile = ({ company }: { company: BootDirectoryEntry }) => (
  <li
    ref={paint(company.colors)}
    data-company={company.url}
    className="group relative flex min-h-28 rounded-sm border border-line bg-surface transition-shadow hover:shadow-raised"
  >
    <div className="grid w-20 shrink-0 place-items-center rounded-s-[3px] bg-tint">
      <Logo url={company.logoUrl} name={company.name} size={48} />
    </div>
    <div className="flex min-w-0 flex-1 items-start justify-between gap-3 border-line border-s-2 border-dotted p-5">
      <div className="min-w-0">
        <h2 className="text-tile leading-tight wrap-anywhere">
          <a href={company.url} className="rounded-sm after:absolute after:inset-0 after:content-['']">
            {company.name}
          </a>
        </h2>
        <p className="mt-1 text-muted">{[company.city, company.state].filter(Boolean).join(', ')}</p>
      </div>
      <ArrowRight size={18} aria-hidden className="mt-1 shrink-0 text-muted group-hover:text-link" />
    </div>
  </li>
)
