import { boot, placeName } from '../boot.ts'
import { Logo } from './Emblem.tsx'

/** The town's logo, name and address at the head of a paper, such as a receipt or a bill. */
export function Letterhead() {
  const town = boot.footer
  const place = [town?.address1, town?.city, [town?.state, town?.zipcode].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ')
  return (
    <div className="mb-5 flex items-center gap-4">
      <Logo url={boot.company?.logoUrl ?? null} name={placeName} size={52} />
      <div className="min-w-0">
        <p className="font-bold font-display text-h3 leading-tight">{placeName}</p>
        <p className="text-muted text-sm">{place}</p>
      </div>
    </div>
  )
}
