import type { MessageDescriptor } from '@lingui/core'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import {
  ChevronDown,
  CircleUser,
  LogOut,
  type LucideIcon,
  PanelLeftClose,
  PanelLeftOpen,
  Pin,
  PinOff,
} from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react'
import * as z from 'zod/mini'
import { screenAt } from '../../shared/screens.ts'
import { translated } from '../../shared/messages.ts'
import { CommandButton, CommandField, type useCommandBar } from '../command/open-command.tsx'
import { isOpen as isOpenScreen } from '../modules.ts'
import { page } from '../page.ts'
import { usePersonSetting } from '../person-settings.ts'
import { usePath } from '../routes.tsx'
import { may } from '../session.ts'
import { cx } from '../ui/cx.ts'
import { MenuButton, useDisclosure } from '../ui/Disclosure.tsx'
import { Logo } from '../ui/Emblem.tsx'
import { Link } from '../ui/Link.tsx'
import { Text } from '../ui/Text.tsx'
import { useMedia } from '../ui/use-media.ts'

interface MenuEntry {
  path: string
  /** Custom label, or the title of the screen. */
  label: MessageDescriptor | string
  /** Shown after the label, such as the number of open records. */
  note?: string
  /** Number of records that await staff. */
  waiting?: number
  /** Called in addition to the navigation, for example to log the click. */
  onOpen?: () => void
}

/** Group of related menu entries, with a gap and an optional heading above them. */
export interface MenuPart {
  heading?: MessageDescriptor
  /** Name under which the person's choice is stored, if the part folds. */
  fold?: string
  /** True for the part with the entries that the person pinned. */
  isPinned?: true
  entries: readonly MenuEntry[]
}

/** Icons of the entries by path, for the folded menu. */
export type MenuIcons = Readonly<Record<string, LucideIcon>>

interface SideMenuProps {
  home: string
  name: string
  logoUrl: string | null
  menu: readonly MenuPart[]
  /** Loads the icons. Without icons, the menu does not fold. */
  icons?: (() => Promise<{ default: MenuIcons }>) | undefined
  command: ReturnType<typeof useCommandBar> | null
  isFolded: boolean
  onFold: (folded: boolean) => void
  onProfile: () => void
  onSignOut: () => void
}

/** Menus up to this number of entries start with all parts open, because they have space for them. */
const MAX_UNFOLDED = 20

/** True if the screen is built and the signed-in person may open it. */
function isOffered(path: string): boolean {
  const needs = screenAt(path)?.needs
  return isOpenScreen(path) && (!needs || may(...needs))
}

/** Side menu in the company's color. On small screens, a button opens it. On large screens, it folds to icons. */
export function SideMenu(props: SideMenuProps) {
  const { home, name, logoUrl, menu, icons: loadIcons, command, onFold, onProfile, onSignOut } = props
  const id = useId()
  const { t } = useLingui()
  const sideMenu = useDisclosure({ stays: true })
  const isWide = useMedia('(min-width: 64rem)')
  const icons = useIcons(props.isFolded && isWide ? loadIcons : undefined)
  const isFolded = icons !== null
  const parts = useParts(menu)
  const tip = useTip(isFolded)
  return (
    <aside ref={sideMenu.container} aria-label={t`Side menu`} className="bg-deep text-white print:hidden">
      <div className="lg:sticky lg:top-0 lg:flex lg:h-dvh lg:flex-col">
        <div className={cx('flex items-center justify-between gap-2 px-4 py-3', isFolded && 'flex-col px-2!')}>
          <Link
            to={home}
            className="flex min-w-0 items-center gap-3 rounded-sm"
            aria-label={isFolded ? name : undefined}
          >
            <Logo url={logoUrl} name={name} size={36} />
            {!isFolded && (
              <span
                title={name}
                className={cx(
                  'line-clamp-2 min-w-0 wrap-anywhere font-bold font-display leading-tight',
                  name.length > 30 ? 'text-base' : 'text-tile',
                )}
              >
                {name}
              </span>
            )}
          </Link>
          {loadIcons && isWide && <FoldButton isFolded={isFolded} onFold={onFold} />}
          {command && isFolded && <CommandButton of={command} />}
          <div className="flex items-center gap-2 lg:hidden">
            {command && <CommandButton of={command} />}
            <MenuButton id={id} of={sideMenu} variant="on-deep" className="" />
          </div>
        </div>
        {command && !isFolded && <CommandField of={command} className="mx-4 mb-2 max-lg:hidden" />}
        <div
          id={id}
          {...tip.handlers}
          className={cx('flex min-h-0 flex-1 flex-col overflow-y-auto pb-2', !sideMenu.open && 'max-lg:hidden')}
        >
          <nav aria-label={t`Main`} className="flex-1">
            {parts.map(({ key, ...part }, i) => (
              <Part key={key} {...part} id={`${id}-${i}`} isFirst={i === 0} icons={icons} />
            ))}
          </nav>
          <div className={cx('mt-2 border-deep-line border-t pt-1', !isFolded && 'grid grid-cols-2')}>
            <MenuAction icon={CircleUser} isFolded={isFolded} onClick={onProfile}>
              {t`My Profile`}
            </MenuAction>
            <MenuAction icon={LogOut} isFolded={isFolded} onClick={onSignOut}>
              {t`Log Out`}
            </MenuAction>
          </div>
          {!isFolded && <Versions />}
        </div>
      </div>
      <Text>{tip.content}</Text>
    </aside>
  )
}

const Versions = () => (
  <div className="px-5 text-on-deep-soft text-xs">
    {page().settings.server_name !== 'Unknown' && (
      <p>
        <Trans>Machine: {page().settings.server_name}</Trans>
      </p>
    )}
    <p>{page().version}</p>
  </div>
)

/** Returns the icons of a folded menu. Null while the menu is unfolded or the icons load. */
function useIcons(load: SideMenuProps['icons']): MenuIcons | null {
  const [icons, setIcons] = useState<MenuIcons | null>(null)
  useEffect(() => {
    // If the icons fail to load, the menu stays unfolded.
    load?.().then(
      ({ default: loaded }) => setIcons(loaded),
      () => {},
    )
  }, [load])
  return load ? icons : null
}

const pinShape = z.array(z.string())
const foldShape = z.record(z.string(), z.boolean())
/** Maximum number of pinned entries. */
const MAX_PINS = 12

/** The person's pinned screens. */
function usePins() {
  const [pins, setPins] = usePersonSetting('pins', pinShape, [])
  const isPinned = (path: string) => pins.includes(path)
  const toggle = (path: string) =>
    setPins(isPinned(path) ? pins.filter((pin) => pin !== path) : [...pins, path].slice(-MAX_PINS))
  return { pins, isPinned, toggle }
}

type OfferedPart = Omit<MenuPart, 'isPinned'> & { key: string; isSmallMenu: boolean }

/** Returns the parts with the entries that the person may open, and with the pinned entries. */
function useParts(menu: readonly MenuPart[]): OfferedPart[] {
  const { pins } = usePins()
  const offered = menu.map((part) => ({ ...part, entries: part.entries.filter(({ path }) => isOffered(path)) }))
  const all = offered.flatMap(({ entries }) => entries)
  const isSmallMenu = all.length <= MAX_UNFOLDED
  return offered
    .map(({ isPinned, ...part }, index) => ({
      ...part,
      isSmallMenu,
      key: String(index),
      entries: isPinned ? pins.flatMap((pin) => all.find(({ path }) => path === pin) ?? []) : part.entries,
    }))
    .filter(({ entries }) => entries.length > 0)
}

interface PartProps extends Omit<OfferedPart, 'key'> {
  id: string
  isFirst: boolean
  icons: MenuIcons | null
}

function Part({ heading, fold, entries, isSmallMenu, id, isFirst, icons }: PartProps) {
  const { t } = useLingui()
  const [folds, setFolds] = usePersonSetting('menu-folds', foldShape, {})
  const here = screenAt(usePath())?.path
  const hasScreen = entries.some(({ path }) => screenAt(path)?.path === here)
  const [closedAt, setClosedAt] = useState<string | undefined>()
  const isOpen = !fold || (hasScreen && closedAt !== here) || (folds[fold] ?? isSmallMenu)
  const toggle = (name: string) => {
    setClosedAt(isOpen ? here : undefined)
    setFolds({ ...folds, [name]: !isOpen })
  }
  return (
    <div className={cx(!isFirst && (fold ? 'mt-0.5' : 'mt-2'), icons && !isFirst && 'border-deep-line border-t pt-1')}>
      {heading && fold ? (
        <button
          type="button"
          id={id}
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          data-tip={icons ? t(heading) : undefined}
          aria-label={icons ? t(heading) : undefined}
          onClick={() => toggle(fold)}
          className="focus-inside flex h-7.5 w-full items-center justify-between px-5 text-start font-bold text-on-deep-soft text-xs hover:bg-deep-line hover:text-white"
        >
          {!icons && <span>{t(heading)}</span>}
          <ChevronDown
            size={16}
            aria-hidden
            className={cx('transition-transform motion-reduce:transition-none', !isOpen && '-rotate-90')}
          />
        </button>
      ) : (
        heading && (
          <p id={id} className="px-5 pb-1 font-bold text-on-deep-soft text-xs">
            {t(heading)}
          </p>
        )
      )}
      <ul id={`${id}-list`} aria-labelledby={heading && id} hidden={!isOpen}>
        {entries.map((entry) => (
          <MenuLink key={entry.path} {...entry} icons={icons} />
        ))}
      </ul>
    </div>
  )
}

const entryClasses = (active: boolean) =>
  cx(
    'focus-inside flex min-h-7.5 w-full items-center border-s-4 px-4 text-start text-sm leading-tight hover:bg-deep-line hover:text-white',
    active
      ? 'border-white bg-deep-line font-bold text-white forced-colors:border-[Highlight]'
      : 'border-transparent text-on-deep-soft forced-colors:border-[Canvas]',
  )

function MenuLink({ path, label, note, waiting = 0, onOpen, icons }: MenuEntry & { icons: MenuIcons | null }) {
  const { t } = useLingui()
  const id = useId()
  const { isPinned, toggle } = usePins()
  const active = screenAt(usePath())?.path === screenAt(path)?.path
  const name = typeof label === 'string' ? translated(label) : t(label)
  const Icon = icons?.[path]
  const pinned = isPinned(path)
  return (
    <li className="relative">
      <Link
        to={path}
        aria-current={active ? 'page' : undefined}
        aria-describedby={waiting > 0 ? id : undefined}
        aria-label={icons ? name : undefined}
        data-tip={icons ? name : undefined}
        className={cx(
          entryClasses(active),
          icons && 'justify-center border-e-4 border-e-transparent px-0!',
          active && !icons && 'pe-10!',
        )}
        {...(onOpen && { onClick: onOpen })}
      >
        {Icon ? (
          <Icon size={18} aria-hidden />
        ) : (
          <span className="min-w-0">
            <Text>{name}</Text>
            {note && <span className="ms-1 whitespace-nowrap text-xs">{` ${note}`}</span>}
          </span>
        )}
      </Link>
      {waiting > 0 && (
        <span
          id={id}
          className={cx(
            'pointer-events-none absolute rounded-full bg-white font-bold text-deep text-xs',
            icons ? 'end-2 top-1 size-2' : 'top-1.5 min-w-5 px-1.5 text-center leading-4.5',
            // The pin of the open screen needs this space.
            !icons && (active ? 'sr-only' : 'end-3'),
          )}
        >
          {!icons && <span aria-hidden>{waiting}</span>}
          <span className="sr-only">
            <Plural value={waiting} one="# waiting" other="# waiting" />
          </span>
        </span>
      )}
      {active && !icons && (
        <button
          type="button"
          aria-pressed={pinned}
          aria-label={t`Pin ${name}`}
          title={pinned ? t`Remove the pin` : t`Pin to the top`}
          onClick={() => toggle(path)}
          className="focus-inside absolute end-1.5 top-0.5 grid size-6.5 place-items-center rounded-sm text-white hover:bg-deep"
        >
          {pinned ? <PinOff size={15} aria-hidden /> : <Pin size={15} aria-hidden />}
        </button>
      )}
    </li>
  )
}

interface MenuActionProps {
  icon: LucideIcon
  isFolded: boolean
  onClick: () => void
  children: string
}

function MenuAction({ icon: Icon, isFolded, onClick, children }: MenuActionProps) {
  return (
    <button
      type="button"
      aria-label={isFolded ? children : undefined}
      data-tip={isFolded ? children : undefined}
      className={cx(entryClasses(false), isFolded && 'justify-center border-s-0! px-0!')}
      onClick={onClick}
    >
      {isFolded ? <Icon size={18} aria-hidden /> : <span>{children}</span>}
    </button>
  )
}

function FoldButton({ isFolded, onFold }: { isFolded: boolean; onFold: (folded: boolean) => void }) {
  const { t } = useLingui()
  const label = isFolded ? t`Show names` : t`Show only icons`
  const Icon = isFolded ? PanelLeftOpen : PanelLeftClose
  return (
    <button
      type="button"
      aria-label={label}
      title={`${label} [`}
      aria-keyshortcuts="["
      onClick={() => onFold(!isFolded)}
      className="grid size-8 shrink-0 place-items-center rounded-sm text-on-deep-soft hover:bg-deep-line hover:text-white"
    >
      <Icon size={18} aria-hidden />
    </button>
  )
}

interface Tip {
  text: string
  top: number
}

/** Name of the entry under the pointer or focus, next to a folded menu. The menu itself scrolls, so it would cut it. */
function useTip(isOn: boolean): { handlers: object; content: ReactNode } {
  const [tip, setTip] = useState<Tip | null>(null)
  const escape = useEffectEvent(({ key }: KeyboardEvent) => key === 'Escape' && setTip(null))
  useEffect(() => {
    document.addEventListener('keydown', escape)
    return () => document.removeEventListener('keydown', escape)
  }, [])
  const show = ({ target }: { target: EventTarget }) => {
    const element = target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null
    const { top = 0, height = 0 } = element?.getBoundingClientRect() ?? {}
    setTip(element ? { text: element.dataset['tip'] ?? '', top: top + height / 2 } : null)
  }
  const hide = () => setTip(null)
  const handlers = {
    onPointerOver: show,
    onPointerLeave: hide,
    onFocus: show,
    onBlur: hide,
    onScroll: hide,
    onClick: hide,
  }
  return {
    handlers: isOn ? handlers : {},
    content: isOn && tip && (
      <div
        aria-hidden
        style={{ top: tip.top }}
        className="pointer-events-none fixed start-15 z-60 -translate-y-1/2 rounded-sm border border-line bg-surface px-2.5 py-1 text-ink text-sm shadow-overlay"
      >
        {tip.text}
      </div>
    ),
  }
}
