import { isMunicipalityRole } from '../shared/privileges.ts'
import { entryOf, screenAt } from '../shared/screens.ts'

/**
 * Returns the page after sign-in. This is the page that the person wanted, if it is a screen for them. Otherwise,
 * residents get the home page and staff the back office.
 */
export function nextPath(roleId: number, from: string | null): string {
  const staff = isMunicipalityRole(roleId)
  const path = from?.replace(/[?#].*$/, '') ?? ''
  // Only the back office itself knows its screens, so this checks only the start of the path.
  const fits =
    from !== null && (staff ? entryOf(path) === 'municipality' : entryOf(path) === 'citizen' && screenAt(path)?.built)
  return fits ? from : staff ? '/municipality' : '/home'
}
