/**
 * Saved views: list queries that a person saved under a name. A view is stored as the query string of the screen's URL.
 */
import * as z from 'zod/mini'
import { type Access, endpoint } from './endpoint.ts'
import { rowId as id } from './body-parts.ts'

/** Maximum number of saved views that a person may have for one list. */
export const MAX_VIEWS = 30

const access: Access = { audience: ['municipality', 'platform'] }
const list = z
  .string({ error: 'Specify the list.' })
  .check(z.regex(/^[a-z][a-z/-]{0,99}$/, 'Specify the list by its path.'))
const name = z
  .string({ error: 'Enter a name.' })
  .check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(60, 'Use up to 60 characters.'))
const reply = z.object({
  views: z.array(z.object({ id: z.number(), name: z.string(), query: z.string() })),
})
/** Access settings that all of these calls share. Views belong to one person, so impersonators can't change them. */
const own = { access, scope: 'none', whileImpersonating: 'refused' } as const

export const savedViews = {
  list: endpoint({
    path: 'return/saved/views',
    summary: "Returns the caller's saved views of a list",
    access,
    scope: 'none',
    body: z.object({ list }),
    response: reply,
  }),
  save: endpoint({
    path: 'save/view',
    summary: 'Saves a view of a list',
    ...own,
    idempotent: 'offered',
    body: z.object({
      list,
      name,
      query: z
        .string({ error: 'Specify the view to save.' })
        .check(z.maxLength(2000, 'This view has too many filters to save. Remove some filters.'), z.regex(/^[^?#]*$/)),
    }),
    response: reply,
  }),
  rename: endpoint({
    path: 'rename/view',
    summary: 'Renames a saved view',
    ...own,
    idempotent: 'offered',
    body: z.object({ list, id, name }),
    response: reply,
  }),
  remove: endpoint({
    path: 'remove/view',
    summary: 'Removes a saved view',
    ...own,
    body: z.object({ list, id }),
    response: reply,
  }),
}

export type SavedView = z.output<typeof reply>['views'][number]
