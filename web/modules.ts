import { isBuilt, screenAt } from '../shared/screens.ts'
import { page } from './page.ts'

const screenPath = (path: string): string | undefined => screenAt(path.replace(/[?#].*$/, ''))?.path

/** Returns the module of the screen at this path, if the municipality has turned the module off. */
export function moduleOffAt(path: string) {
  const screen = screenPath(path)
  return page().modulesOff.find(
    ({ closed, finishing }) => screen !== undefined && (closed.includes(screen) || finishing.includes(screen)),
  )
}

/** True if the module of the screen at this path is on. Pages hide what belongs to other modules. */
export const isOffered = (path: string): boolean => moduleOffAt(path) === undefined

/** True if the screen at this path is closed, because its module is off. */
export function isClosed(path: string): boolean {
  const { modulesOff } = page()
  if (modulesOff.length === 0) return false
  const screen = screenPath(path)
  return screen !== undefined && modulesOff.some(({ closed }) => closed.includes(screen))
}

/** True if a built screen exists at this path and its module is on. Menus, links and tiles hide all other paths. */
export const isOpen = (path: string): boolean => isBuilt(path) && !isClosed(path)
