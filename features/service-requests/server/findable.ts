import type { SearchSource } from '../../../server/findable.ts'
import { say } from '../../../shared/messages.ts'
import { activeCategories } from './categories.ts'
import { settingsOf } from './settings.ts'

/** Search source for the categories in which residents can report problems. */
export const findableCategories: SearchSource = {
  kind: 'reports',
  all: async (tx, { company, isSignedIn }) => {
    const { forGuests } = await settingsOf(tx, company.id)
    return (await activeCategories(tx, company.id))
      .filter(({ for_guests }) => isSignedIn || (forGuests && for_guests === 1))
      .map(({ id, name, hint }) => ({
        title: name,
        text: hint,
        alternatives: [say`Report: ${name}`],
        path: `/communication/new?category=${id}`,
      }))
  },
}
