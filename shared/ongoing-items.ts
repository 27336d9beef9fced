import * as z from 'zod/mini'
import { stateKinds } from './cases.ts'
import { endpoint } from './endpoint.ts'

/** So many of a kind are looked at; nobody has more of one under way but by mistake. */
export const MAX_PER_KIND = 20

const id = z.int().check(z.positive())

/** Whatever a resident began or sent in any part of the portal and that has not ended yet. */
export const myMatters = endpoint({
  path: 'return/my/matters',
  summary: 'What the caller has under way in all parts of the portal: what waits for them first, then the newest',
  access: { audience: 'citizen' },
  body: z.object({}),
  answer: z.object({
    matters: z.array(
      z.object({
        /** The kind of thing, and which of them. */
        kind: z.string(),
        id,
        title: z.string(),
        /** '' while it has none. */
        number: z.string(),
        at: z.string(),
        state: z.object({ label: z.string(), kind: z.enum(stateKinds) }),
        /** Where it stands; null where a link to it is made when it is asked for. */
        path: z.nullable(z.string()),
      }),
    ),
  }),
})

export const openMatter = endpoint({
  path: 'open/my/matter',
  summary: 'Makes a link to something that the caller has under way',
  access: { audience: 'citizen' },
  body: z.object({ kind: z.string().check(z.maxLength(40)), id }),
  answer: z.object({ path: z.string() }),
})
