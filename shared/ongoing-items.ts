import * as z from 'zod/mini'
import { stateKinds } from './cases.ts'
import { endpoint } from './endpoint.ts'

/** Maximum number of open items that are loaded for each kind. People rarely have more. */
export const MAX_PER_KIND = 20

const id = z.int().check(z.positive())

/** Lists a resident's open requests and drafts in all parts of the portal. */
export const myOngoingItems = endpoint({
  path: 'return/my/matters',
  summary: "Returns the caller's ongoing items, those awaiting the caller first",
  access: { audience: 'citizen' },
  body: z.object({}),
  response: z.object({
    ongoingItems: z.array(
      z.object({
        /** Kind and id of the item. */
        kind: z.string(),
        id,
        title: z.string(),
        /** Number of the item, or '' if the item has no number yet. */
        number: z.string(),
        at: z.string(),
        state: z.object({ label: z.string(), kind: z.enum(stateKinds) }),
        /** Path of the item. Null if the portal creates its link only on request. */
        path: z.nullable(z.string()),
      }),
    ),
  }),
})

export const openOngoingItem = endpoint({
  path: 'open/my/matter',
  summary: "Returns a link to one of the caller's ongoing items",
  access: { audience: 'citizen' },
  body: z.object({ kind: z.string().check(z.maxLength(40)), id }),
  response: z.object({ path: z.string() }),
})
