import { Trans } from '@lingui/react/macro'
import type { BootService } from '../../../shared/boot.ts'
import { translated } from '../../../shared/messages.ts'
import { isOpen } from '../../../web/modules.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { iconOf, Tile } from '../../../web/ui/Tile.tsx'
import { isRelocation, pathOf, tileHref } from './service-url.ts'
import { UsageIllustration } from './UsageIllustration.tsx'

/** Default texts of a tile, used if the company has entered none (spec 2.8, 9.1). */
const USUAL_NAME = 'Request Final Meter'
const USUAL_TEXT = 'Complete the necessary tasks to pursue my requests'

/** Links inside the relocation tile. The tile itself is not a link (spec 2.8). */
const moves = [
  { path: '/relocate/move-in', label: <Trans>Move in</Trans> },
  { path: '/relocate/move-out', label: <Trans>Move out</Trans> },
  { path: '/relocate/move-within', label: <Trans>Move within the community</Trans> },
]

export function ServiceTile({ service, wide }: { service: BootService; wide: boolean }) {
  const relocation = isRelocation(service.url)
  const path = pathOf(service.url)
  const active = service.is_active === 1 && (relocation ? moves.some((move) => isOpen(move.path)) : isOpen(path))
  return (
    <Tile
      title={service.name || translated(USUAL_NAME)}
      icon={iconOf(service.icon)}
      href={active && !relocation ? tileHref(service.url) : undefined}
      inactive={!active}
      wide={wide}
      links={
        relocation
          ? active &&
            moves.map((move) => (
              <Link key={move.path} to={move.path} className="link">
                {move.label}
              </Link>
            ))
          : service.button_text && <span className="link">{service.button_text}</span>
      }
      illustration={wide && path === '/utility-portal' && <UsageIllustration />}
    >
      {service.description || translated(USUAL_TEXT)}
    </Tile>
  )
}
