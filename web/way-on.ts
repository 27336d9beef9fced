import { isMunicipalityRole } from '../shared/privileges.ts'
import { entryOf, screenAt } from '../shared/screens.ts'

/**
 * Where somebody goes after signing in: to what they were after, as far as it is a screen for them; else residents to
 * their town's page and staff to their back office.
 */
export function wayOn(roleId: number, from: string | null): string {
  const staff = isMunicipalityRole(roleId)
  const path = from?.replace(/[?#].*$/, '') ?? ''
  // Which screens the back office has is known there alone.
  const fits =
    from !== null && (staff ? entryOf(path) === 'municipality' : entryOf(path) === 'citizen' && screenAt(path)?.built)
  return fits ? from : staff ? '/municipality' : '/home'
}
