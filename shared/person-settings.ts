/** Settings of the screens that a member of staff chose, such as visible columns. They apply in all of their browsers. */
import * as z from 'zod/mini'
import { type Access, endpoint } from './endpoint.ts'

/** Maximum number of settings of one person. */
export const MAX_SETTINGS = 300

const access: Access = { audience: ['municipality', 'platform'] }
const text = z.string().check(z.maxLength(200))
/** Value of a setting. The screen that reads it checks it again, because an older version may have saved it. */
const setting = z.union([
  z.boolean(),
  text,
  z.array(text).check(z.maxLength(100)),
  z.record(text, z.boolean()).check(z.refine((value) => Object.keys(value).length <= 100, 'Send up to 100 entries.')),
])
export type PersonSetting = z.output<typeof setting>

export const personSettings = {
  list: endpoint({
    path: 'return/person/settings',
    summary: "Returns the caller's settings of the screens",
    access,
    scope: 'none',
    body: z.object({}),
    response: z.object({ settings: z.record(z.string(), setting) }),
  }),
  save: endpoint({
    path: 'save/person/setting',
    summary: 'Saves one setting of the screens for the caller',
    access,
    scope: 'none',
    // Settings belong to one person, so impersonators can't change them.
    whileImpersonating: 'refused',
    idempotent: 'offered',
    body: z.object({
      name: z
        .string({ error: 'Specify the setting.' })
        .check(z.regex(/^[a-z][a-zA-Z0-9:/-]{0,119}$/, 'Specify the setting by its name.')),
      value: setting,
    }),
    response: z.object({ name: z.string() }),
  }),
}
