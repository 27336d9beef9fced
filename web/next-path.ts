import { isMunicipalityRole } from '../shared/privileges.ts'
import { entryOf, screenAt } from '../shared/screens.ts'

/**
 * Returns the page to open after sign-in. If the person's role has access to the requested page, returns that page.
 * Otherwise, residents get the home page and staff get the back office.
 */
export function nextPath(roleId: number, from: string | null): string {
  const staff = isMunicipalityRole(roleId)
  const path = from?.replace(/[?#].*$/, '') ?? ''
  // Only the back office has the list of its screens. For staff, this code therefore checks only the start of the path.
  const fits =
    from !== null && (staff ? entryOf(path) === 'municipality' : entryOf(path) === 'citizen' && screenAt(path)?.built)
  return fits ? from : staff ? '/municipality' : '/home'
}
