import type { MessageDescriptor } from '@lingui/core'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ComponentType, type ReactNode, useId } from 'react'
import { screenAt } from '../../shared/screens.ts'
import { translated } from '../../shared/messages.ts'
import { isOpen } from '../modules.ts'
import { page } from '../page.ts'
import { type LazyPanel, useLazyPanel } from '../lazy-panel.tsx'
import { usePath } from '../routes.tsx'
import { Outlet } from '../router/Outlet.tsx'
import { cx } from '../ui/cx.ts'
import { MenuButton, useDisclosure } from '../ui/Disclosure.tsx'
import { Logo } from '../ui/Emblem.tsx'
import { Link } from '../ui/Link.tsx'
import { SkipLink } from '../ui/Page.tsx'
import { may } from '../session.ts'
import { NoPermission } from './NoRight.tsx'
import { SessionEnded } from './SessionEnded.tsx'
import { Toasts } from '../ui/Toasts.tsx'
import { Text } from '../ui/Text.tsx'

interface MenuEntry {
  path: string
  /** Custom label, or the title of the screen. */
  label: MessageDescriptor | string
  /** Shown after the label, such as the number of open records. */
  note?: string
  /** Called in addition to the navigation, for example to log the click. */
  onOpen?: () => void
}

/** Group of related menu entries, with a gap and an optional heading above them. */
export interface MenuPart {
  heading?: MessageDescriptor
  entries: readonly MenuEntry[]
}

interface OfficeLayoutProps {
  home: string
  /** Name at the top of the side menu, next to the logo or seal. */
  name: string
  logoUrl: string | null
  /** Menu entries. The menu shows only built screens that the signed-in person may open. */
  menu: readonly MenuPart[]
  /** Decides whether the screen at a path is shown. */
  gate?: ComponentType<{ path: string; children: ReactNode }>
  /** Content of the top line: 'Municipality Portal for Maple Grove'. */
  heading: ReactNode
  /** Content at the right end of the top bar. */
  aside?: ReactNode
  onSignOut: () => void
  /** The slide-out of 'My Profile', loaded on demand. */
  profile: LazyPanel
  /** Bar above the page, which shows the current impersonation. */
  bar?: ReactNode
}

/** Layout with a side menu in the company's color, a top line, and the screen (spec 2.9). */
export function OfficeLayout({
  home,
  name,
  logoUrl,
  menu,
  gate: Gate = Open,
  heading,
  aside,
  onSignOut,
  profile,
  bar,
}: OfficeLayoutProps) {
  const { t } = useLingui()
  // The profile panel is outside the side menu, because the menu has its own colors and closes on small screens.
  const myProfile = useLazyPanel(
    profile,
    t`Your profile could not be loaded. Reload the page and try again.`,
    'profile',
  )
  const path = usePath()
  const screen = screenAt(path)
  const lacks = screen?.needs && !may(...screen.needs)
  return (
    <div className="min-h-[max(100dvh,var(--kept-height,0px))] lg:grid lg:grid-cols-[16.5rem_minmax(0,1fr)] print:block">
      <SkipLink to="main">
        <Trans>Skip to content</Trans>
      </SkipLink>
      <SideMenu
        home={home}
        name={name}
        logoUrl={logoUrl}
        menu={menu}
        onProfile={myProfile.open}
        onSignOut={onSignOut}
      />
      <div className="flex min-w-0 flex-col">
        <Text>{bar}</Text>
        <header className="flex min-h-13 flex-wrap items-center justify-between gap-x-6 gap-y-1 border-line border-b bg-surface px-4 py-2 md:px-6 print:hidden">
          <p className="min-w-0">{heading}</p>
          {aside && (
            <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 whitespace-nowrap lg:flex-nowrap">
              {aside}
            </div>
          )}
        </header>
        <main id="main" tabIndex={-1} className="flex-1 px-4 py-6 md:px-6 print:p-0">
          <p className="print-owner">{page().siteName}</p>
          <Gate path={path}>
            {screen?.needs && lacks ? (
              <NoPermission
                title={translated(screen.title)}
                needs={screen.needs}
                isPlatform={screen.entry === 'admin'}
              />
            ) : (
              <Outlet />
            )}
          </Gate>
        </main>
      </div>
      <SessionEnded />
      <Text>{myProfile.panel}</Text>
      <Toasts />
    </div>
  )
}

const Open = ({ children }: { children: ReactNode }) => children

interface SideMenuProps extends Pick<OfficeLayoutProps, 'home' | 'name' | 'logoUrl' | 'menu' | 'onSignOut'> {
  onProfile: () => void
}

function SideMenu({ home, name, logoUrl, menu, onProfile, onSignOut }: SideMenuProps) {
  const id = useId()
  const { t } = useLingui()
  const sideMenu = useDisclosure({ stays: true })
  const { open, container } = sideMenu
  const parts = menu
    .map(({ heading: title, entries }) => ({ title, entries: entries.filter(({ path }) => isOffered(path)) }))
    .filter(({ entries }) => entries.length > 0)
  return (
    <aside ref={container} aria-label={t`Side menu`} className="bg-deep text-white print:hidden">
      <div className="lg:sticky lg:top-0 lg:flex lg:h-dvh lg:flex-col">
        <div className="flex items-center justify-between gap-3 px-4 py-3 lg:py-4">
          <Link to={home} className="flex min-w-0 items-center gap-3 rounded-sm">
            <Logo url={logoUrl} name={name} size={36} />
            <span
              title={name}
              className={cx(
                'line-clamp-2 min-w-0 wrap-anywhere font-bold font-display leading-tight',
                name.length > 30 ? 'text-base' : 'text-tile',
              )}
            >
              {name}
            </span>
          </Link>
          <MenuButton id={id} of={sideMenu} variant="on-deep" className="lg:hidden" />
        </div>
        <div id={id} className={cx('flex min-h-0 flex-1 flex-col overflow-y-auto pb-4', !open && 'max-lg:hidden')}>
          <nav aria-label={t`Main`} className="flex-1">
            {parts.map(({ title, entries }, i) => (
              <div key={entries[0]?.path} className={cx(i > 0 && 'mt-4')}>
                {title && (
                  <p id={`${id}-${i}`} className="px-5 pb-1 font-bold text-on-deep-soft text-xs">
                    {t(title)}
                  </p>
                )}
                <ul aria-labelledby={title && `${id}-${i}`}>
                  {entries.map((entry) => (
                    <MenuLink key={entry.path} {...entry} />
                  ))}
                </ul>
              </div>
            ))}
          </nav>
          <div className="mt-4 border-deep-line border-t pt-2">
            <button type="button" className={entryClasses(false)} onClick={onProfile}>
              <Trans>My Profile</Trans>
            </button>
            <button type="button" className={entryClasses(false)} onClick={onSignOut}>
              <Trans>Log Out</Trans>
            </button>
            {page().settings.server_name !== 'Unknown' && (
              <p className="px-5 pt-2 text-on-deep-soft text-xs">
                <Trans>Machine: {page().settings.server_name}</Trans>
              </p>
            )}
            <p className="px-5 text-on-deep-soft text-xs">{page().version}</p>
          </div>
        </div>
      </div>
    </aside>
  )
}

const entryClasses = (active: boolean) =>
  cx(
    'focus-inside flex min-h-9 w-full items-center border-s-4 px-4 py-1.5 text-start text-sm hover:bg-deep-line hover:text-white',
    active
      ? 'border-white bg-deep-line font-bold text-white forced-colors:border-[Highlight]'
      : 'border-transparent text-on-deep-soft forced-colors:border-[Canvas]',
  )

/** True if the screen is built and the signed-in person may open it. */
function isOffered(path: string): boolean {
  const needs = screenAt(path)?.needs
  return isOpen(path) && (!needs || may(...needs))
}

function MenuLink({ path, label, note, onOpen }: MenuEntry) {
  const { t } = useLingui()
  const active = screenAt(usePath())?.path === screenAt(path)?.path
  return (
    <li>
      <Link
        to={path}
        aria-current={active ? 'page' : undefined}
        className={entryClasses(active)}
        {...(onOpen && { onClick: onOpen })}
      >
        <span>
          <Text>{typeof label === 'string' ? translated(label) : t(label)}</Text>
          {note && <span className="ms-1 whitespace-nowrap text-xs">{` ${note}`}</span>}
        </span>
      </Link>
    </li>
  )
}

/** Layout of a screen before sign-in, without menus. */
export const LoneScreen = () => (
  <>
    <main id="main" tabIndex={-1}>
      <Outlet />
    </main>
    <Toasts />
  </>
)
