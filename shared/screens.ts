/**
 * Screens of the product (spec 2.1 to 2.4). Menus, header, footer and tiles omit screens that are not built yet. The
 * route guard reads the permitted roles, and the tests visit all screens. `screens/` contains one list for each browser
 * entry. Importing a list registers its screens, so residents' browsers do not load the staff lists. `all-screens.ts`
 * combines the lists.
 */

import type { PrivilegeName, Permission } from './privileges.ts'

/** Browser entry that contains the screen. */
export type Entry = 'citizen' | 'municipality' | 'admin'

/** Kind of a screen that the server renders for visitors. */
export type RenderKind = 'cached' | 'fresh' | 'token'

/** Flags for the route guard (spec 6.2). */
export interface RouteMeta {
  requiresAuth?: true
  onlyAdmin?: true
  onlyMuni?: true
  onlyC?: true
}

export interface Screen {
  /** Path, with parameters in braces: `/guest/payment/{token}`. Upper and lower case do not matter. */
  path: string
  /** Other spellings of the path. */
  aliases?: readonly string[]
  title: string
  entry: Entry
  meta: RouteMeta
  built: boolean
  /** True if the server renders the page and the page has no script. The browser's router then can't open it. */
  byServer?: true
  /** Permission that a person needs to open the screen. Menus hide the screen from people without it. */
  needs?: readonly [PrivilegeName, Permission]
  /** Part of the side menu in which the screen's title appears, after the entries of the specification. */
  inMenu?: MenuPart
}

/** Parts of the side menu. `web/municipality/menu.ts` has their headings. */
type MenuPart = 'money' | 'requests' | 'records'

type ScreenOptions = Partial<Pick<Screen, 'aliases' | 'built' | 'needs' | 'byServer' | 'inMenu'>>
export const built: ScreenOptions = { built: true }
export const builtFor = (policy: PrivilegeName, permission: Permission = 'view'): ScreenOptions => ({
  built: true,
  needs: [policy, permission],
})

export const inMenuFor = (inMenu: MenuPart, policy: PrivilegeName, permission: Permission = 'view'): ScreenOptions => ({
  ...builtFor(policy, permission),
  inMenu,
})

export const residentScreen = (path: string, title: string, more: ScreenOptions = {}): Screen => ({
  ...{ path, title, entry: 'citizen', meta: { onlyC: true }, built: false },
  ...more,
})
export const signedInScreen = (path: string, title: string, more: ScreenOptions = {}): Screen => ({
  ...residentScreen(path, title, more),
  meta: { onlyC: true, requiresAuth: true },
})
export const sharedScreen = (path: string, title: string, more: ScreenOptions = {}): Screen => ({
  ...residentScreen(path, title, more),
  meta: {},
})
export const companyScreen = (path: string, title: string, more: ScreenOptions = {}): Screen => ({
  ...{ path: `/municipality${path}`, title, entry: 'municipality', built: false },
  ...more,
  meta: { onlyMuni: true, requiresAuth: true },
})
export const platformScreen = (path: string, title: string, more: ScreenOptions = {}): Screen => ({
  ...{ path: `/admin${path}`, title, entry: 'admin', built: false },
  ...more,
  meta: { onlyAdmin: true, requiresAuth: true },
})

const registered: Screen[] = []
const fixed = new Map<string, Screen>()
const patterns: { screen: Screen; pattern: RegExp }[] = []
const plain = (path: string) => path.toLowerCase().replace(/(?<=.)\/$/, '')

/**
 * Parameters that end in `Id`, such as `{accountId}`, match only numbers. A path with another value matches no screen.
 */
const valueOf = (_: string, name: string) => (name.endsWith('Id') ? String.raw`([1-9]\d{0,14})` : '([^/]+)')

/** Builds a regular expression for a path. It captures the parameters in braces and ignores upper and lower case. */
export const expressionOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{(\w+)\}/g, valueOf)}/?$`, 'i')

/** Registers a list of screens for this browser entry or for the server. */
export function registerScreens(screens: readonly Screen[]): readonly Screen[] {
  registered.push(...screens)
  for (const screen of screens)
    for (const path of [screen.path, ...(screen.aliases ?? [])])
      if (path.includes('{')) patterns.push({ screen, pattern: expressionOf(path) })
      else fixed.set(plain(path), screen)
  return screens
}

/**
 * Returns the screen at a path without a query. Undefined if none exists. A fixed path has priority over a path with
 * parameters.
 */
export const screenAt = (path: string): Screen | undefined =>
  fixed.get(plain(path)) ?? patterns.find(({ pattern }) => pattern.test(path))?.screen

/** Returns the parent screen of a single record's screen, usually its list. Undefined for other screens. */
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

/** True if a built screen exists at this path. Menus, links and tiles hide or disable all other paths. */
export const isBuilt = (path: string): boolean => screenAt(path.replace(/[?#].*$/, ''))?.built ?? false

/** Returns the browser entry that a path belongs to, even if no screen has that path. */
export function entryOf(path: string): Entry {
  if (/^\/admin(?:\/|$)/i.test(path)) return 'admin'
  return /^\/municipality(?:\/|$)/i.test(path) ? 'municipality' : 'citizen'
}

/** Lists the screens of a browser entry that have no parameters. */
export const screensOf = (of: Entry): readonly Screen[] =>
  registered.filter(({ entry, path }) => entry === of && !path.includes('{'))

/** Lists the screens of a menu part that the specification's menu does not have. */
export const moreInMenu = (of: Entry, part: MenuPart): { path: string; label: string }[] =>
  registered
    .filter(({ entry, inMenu }) => entry === of && inMenu === part)
    .map(({ path, title }) => ({ path, label: title }))
