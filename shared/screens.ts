/**
 * The screens of the product (specification 2.1 to 2.4): menus, header, footer and tiles leave out what is not built, the
 * route guard reads who may enter, and the tests walk them. They stand in `screens/`, a list for each of the three shells,
 * and are known once their list is imported: a resident loads no list of the back office. `all-screens.ts` has all.
 */

import type { PolicyName, Right } from './privileges.ts'

/** Which of the three browser entries holds the screen. */
export type Entry = 'citizen' | 'municipality' | 'admin'

/** Meta flags of the route guard (specification 6.2). */
export interface RouteMeta {
  requiresAuth?: true
  onlyAdmin?: true
  onlyMuni?: true
  onlyC?: true
}

export interface Screen {
  /** With parameters in braces: `/guest/payment/{token}`. Compared without case. */
  path: string
  /** Other spellings of the same screen. */
  aliases?: readonly string[]
  title: string
  entry: Entry
  meta: RouteMeta
  built: boolean
  /** Drawn by the server alone, without a script: no router of ours knows it. */
  byServer?: true
  /** The right without which everything on it would be refused; menus leave it out for whoever lacks it. */
  needs?: readonly [PolicyName, Right]
  /** It stands in this part of the side menu under its title, below what the specification lists there. */
  inMenu?: MenuPart
}

/** Parts of the side menu, as their headings name them in `web/municipality/menu.ts`. */
type MenuPart = 'money' | 'requests' | 'records'

type More = Partial<Pick<Screen, 'aliases' | 'built' | 'needs' | 'byServer' | 'inMenu'>>
export const built: More = { built: true }
export const builtFor = (policy: PolicyName, right: Right = 'view'): More => ({ built: true, needs: [policy, right] })

export const inMenuFor = (inMenu: MenuPart, policy: PolicyName, right: Right = 'view'): More => ({
  ...builtFor(policy, right),
  inMenu,
})

export const open = (path: string, title: string, more: More = {}): Screen => ({
  ...{ path, title, entry: 'citizen', meta: { onlyC: true }, built: false },
  ...more,
})
export const signedIn = (path: string, title: string, more: More = {}): Screen => ({
  ...open(path, title, more),
  meta: { onlyC: true, requiresAuth: true },
})
export const anyone = (path: string, title: string, more: More = {}): Screen => ({
  ...open(path, title, more),
  meta: {},
})
export const town = (path: string, title: string, more: More = {}): Screen => ({
  ...{ path: `/municipality${path}`, title, entry: 'municipality', built: false },
  ...more,
  meta: { onlyMuni: true, requiresAuth: true },
})
export const platform = (path: string, title: string, more: More = {}): Screen => ({
  ...{ path: `/admin${path}`, title, entry: 'admin', built: false },
  ...more,
  meta: { onlyAdmin: true, requiresAuth: true },
})

const known: Screen[] = []
const fixed = new Map<string, Screen>()
const patterns: { screen: Screen; pattern: RegExp }[] = []
const plain = (path: string) => path.toLowerCase().replace(/(?<=.)\/$/, '')

/** What is called by its number, as `{accountId}`, is never called anything else: such an address leads nowhere. */
const valueOf = (_: string, name: string) => (name.endsWith('Id') ? String.raw`([1-9]\d{0,14})` : '([^/]+)')

/** What matches a path with parameters in braces, and captures their values. Case doesn't count. */
export const expressionOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{(\w+)\}/g, valueOf)}/?$`, 'i')

/** Makes a list of screens known to this shell, or to the server. */
export function know(screens: readonly Screen[]): readonly Screen[] {
  known.push(...screens)
  for (const screen of screens)
    for (const path of [screen.path, ...(screen.aliases ?? [])])
      if (path.includes('{')) patterns.push({ screen, pattern: expressionOf(path) })
      else fixed.set(plain(path), screen)
  return screens
}

/** The screen at a path (without query), or undefined. Fixed paths win over those with parameters. */
export const screenAt = (path: string): Screen | undefined =>
  fixed.get(plain(path)) ?? patterns.find(({ pattern }) => pattern.test(path))?.screen

/** The screen above the one of a single record: usually its list. Undefined elsewhere. */
export function screenAbove(path: string): Screen | undefined {
  if (!screenAt(path)?.path.includes('{')) return undefined
  const parts = plain(path).split('/')
  while (parts.length > 1) {
    parts.pop()
    const above = screenAt(parts.join('/') || '/')
    if (above?.built && !above.path.includes('{')) return above
  }
  return undefined
}

/** Is there a built screen at this path? Menus, links and tiles to any other are left out or inactive. */
export const isBuilt = (path: string): boolean => screenAt(path.replace(/[?#].*$/, ''))?.built ?? false

/** The browser entry that serves a path, known or not. */
export function entryOf(path: string): Entry {
  if (/^\/admin(?:\/|$)/i.test(path)) return 'admin'
  return /^\/municipality(?:\/|$)/i.test(path) ? 'municipality' : 'citizen'
}

/** What the specification's menu of an entry lacks in a part of it, by the screens' titles. */
export const moreInMenu = (of: Entry, part: MenuPart): { path: string; label: string }[] =>
  known
    .filter(({ entry, inMenu }) => entry === of && inMenu === part)
    .map(({ path, title }) => ({ path, label: title }))
