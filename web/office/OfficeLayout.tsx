import { Trans, useLingui } from '@lingui/react/macro'
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useEffectEvent } from 'react'
import * as z from 'zod/mini'
import { screenAt } from '../../shared/screens.ts'
import { translated } from '../../shared/messages.ts'
import { type LoadCommandBar, useCommandBar } from '../command/open-command.tsx'
import { page } from '../page.ts'
import { type LazyPanel, useLazyPanel } from '../lazy-panel.tsx'
import { isInField, isModified, usePersonSetting, useSingleKeys } from '../person-settings.ts'
import { usePath } from '../routes.tsx'
import { Outlet } from '../router/Outlet.tsx'
import { cx } from '../ui/cx.ts'
import { SkipLink } from '../ui/Page.tsx'
import { may } from '../session.ts'
import { SessionEnded } from './SessionEnded.tsx'
import { type MenuIcons, type MenuPart, SideMenu } from './SideMenu.tsx'
import { Toasts } from '../ui/Toasts.tsx'
import { Text } from '../ui/Text.tsx'

// Loaded on demand, because it has the labels of all permissions.
const NoPermission = lazy(() => import('./NoRight.tsx'))

interface OfficeLayoutProps {
  home: string
  /** Name at the top of the side menu, next to the logo or seal. */
  name: string
  logoUrl: string | null
  /** Menu entries. The menu shows only built screens that the signed-in person may open. */
  menu: readonly MenuPart[]
  /** Loads the icons of the menu. Without icons, the menu does not fold. */
  menuIcons?: () => Promise<{ default: MenuIcons }>
  /** Loads the command bar. */
  commandBar?: LoadCommandBar
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
  menuIcons,
  commandBar,
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
  const command = useCommandBar(commandBar, onSignOut)
  const [isFolded, setFolded] = useFoldedMenu(menuIcons !== undefined)
  const path = usePath()
  const screen = screenAt(path)
  const lacks = screen?.needs && !may(...screen.needs)
  return (
    <div
      className={cx(
        'min-h-[max(100dvh,var(--kept-height,0px))] lg:grid print:block',
        isFolded ? 'lg:grid-cols-[3.5rem_minmax(0,1fr)]' : 'lg:grid-cols-[16.5rem_minmax(0,1fr)]',
      )}
    >
      <SkipLink to="main">
        <Trans>Skip to content</Trans>
      </SkipLink>
      <SideMenu
        home={home}
        name={name}
        logoUrl={logoUrl}
        menu={menu}
        icons={menuIcons}
        command={commandBar ? command : null}
        isFolded={isFolded}
        onFold={setFolded}
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
              <Suspense>
                <NoPermission
                  title={translated(screen.title)}
                  needs={screen.needs}
                  isPlatform={screen.entry === 'admin'}
                />
              </Suspense>
            ) : (
              <Outlet />
            )}
          </Gate>
        </main>
      </div>
      <SessionEnded />
      <Text>{myProfile.panel}</Text>
      {command.bar}
      <Toasts />
    </div>
  )
}

const Open = ({ children }: { children: ReactNode }) => children

/**
 * State of a menu that folds to icons. The key [ folds and unfolds it, except in a field, in a dialog, or if the person
 * turned single keys off.
 */
function useFoldedMenu(canFold: boolean) {
  const [isFolded, setFolded] = usePersonSetting('menu-folded', z.boolean(), false)
  const [hasKeys] = useSingleKeys()
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event
    if (key !== '[' || isModified(event) || event.defaultPrevented || !canFold || !hasKeys) return
    if (target instanceof Element && isInField(target)) return
    if (document.querySelector('dialog[open]')) return
    event.preventDefault()
    setFolded(!isFolded)
  })
  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return [canFold && isFolded, setFolded] as const
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
