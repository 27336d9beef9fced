import { isMunicipalityRole } from '../shared/privileges.ts'
import { entryOf, screenAt } from '../shared/screens.ts'

/**
 * Returns the page after sign-in: the wanted one, if it is a screen for this person. Otherwise, residents open the home
 * page and staff the back office.
 */
export function wayOn(roleId: number, from: string | null): string {
  const staff = isMunicipalityRole(roleId)
  const path = from?.replace(/[?#].*$/, '') ?? ''
  // Only the back office itself knows its screens.
  const fits =
    from !== null && (staff ? entryOf(path) === 'municipality' : entryOf(path) === 'citizen' && screenAt(path)?.built)
  return fits ? from : staff ? '/municipality' : '/home'
}
