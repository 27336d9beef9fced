import { page } from '../page.ts'
import { Logo } from './Emblem.tsx'

/** The municipality's logo, name and address at the top of a receipt or bill. */
export function Letterhead() {
  const company = page().footer
  const address = [company?.address1, company?.city, [company?.state, company?.zipcode].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ')
  return (
    <div className="mb-5 flex items-center gap-4">
      <Logo url={page().company?.logoUrl ?? null} name={page().siteName} size={52} />
      <div className="min-w-0">
        <p className="font-bold font-display text-h3 leading-tight">{page().siteName}</p>
        <p className="text-muted text-sm">{address}</p>
      </div>
    </div>
  )
}
