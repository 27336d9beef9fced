import { copyCall } from '../../shared/copies.ts'
import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { say } from '../../shared/messages.ts'
import { basis, companyId, line, rowId } from '../../shared/body-parts.ts'

/** Calls for the request settings of a company. The company's staff and platform administrators may use these calls. */

export const staff = ['municipality', 'platform'] as const
export const viewAccess: Access = { audience: staff, privilege: ['requests', 'view'] }
const change: Access = { audience: staff, privilege: ['requests', 'update'] }

const definition = z.unknown() as unknown as z.ZodMiniType<Definition>
const whole = (min: number, max: number, message: string) =>
  z.int({ error: message }).check(z.minimum(min, message), z.maximum(max, message))

/** Id as a select element sends it, which is a string. Empty if no one is chosen. */
const chosen = z.pipe(
  z.union([z.null(), rowId, z.string().check(z.regex(/^(?:|[1-9]\d{0,14})$/, 'Choose an option from the list.'))], {
    error: 'Choose an option from the list.',
  }),
  z.transform((value) => (value === null || value === '' ? null : Number(value))),
)

export const categoryForm = z.object({
  name: line(80).check(z.minLength(1, 'Enter a category name.')),
  hint: line(300),
  sortNo: whole(0, 9999, 'Enter a whole number from 0 to 9999.'),
  active: z.boolean(),
  departmentId: chosen,
  targetDays: whole(1, 365, 'Enter 1 to 365 business days.'),
  escalateTo: chosen,
  /** Crew that gets the work orders of the category. */
  crewId: z._default(chosen, null),
  forGuests: z.boolean(),
  needsLocation: z.boolean(),
  onMap: z.boolean(),
})

export const saveCategory = formCall({
  path: 'muni/save/request/category',
  summary: 'Creates or changes a request category',
  access: change,
  body: z.extend(categoryForm, { companyId, categoryId: z.nullable(rowId), basis }),
  response: z.extend(done, { categoryId: z.number() }),
})

export const copyCategory = copyCall('muni/copy/request/category', 'Copies a category that is not in use', change)

/** Lists the departments that can own a category, and the people who can receive overdue notifications. */
export const categoryChoices = endpoint({
  path: 'muni/return/request/category/choices',
  summary: 'Returns the departments and people for request categories',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({
    departments: z.array(z.object({ id: z.number(), name: z.string() })),
    people: z.array(z.object({ id: z.number(), name: z.string() })),
    crews: z.array(z.object({ id: z.number(), name: z.string() })),
  }),
})

const ofCategory = z.object({ companyId, categoryId: rowId })

export const categoryFields = endpoint({
  path: 'muni/return/request/category/fields',
  summary: 'Returns the draft questions of a request category',
  access: viewAccess,
  body: ofCategory,
  response: z.object({
    name: z.string(),
    draft: definition,
    latestVersion: z.int(),
    today: z.string(),
    can: z.object({ edit: z.boolean() }),
  }),
})

export const saveCategoryFields = formCall({
  path: 'muni/save/request/category/fields',
  summary: 'Saves the draft questions of a request category',
  access: change,
  body: z.extend(ofCategory, { definition, basis: z.optional(definition) }),
  response: z.extend(done, { definition }),
})

export const publishCategoryFields = formCall({
  path: 'muni/publish/request/category/fields',
  summary: 'Publishes the draft questions of a request category',
  access: change,
  body: z.extend(ofCategory, { definition }),
  response: z.extend(done, { version: z.int() }),
})

const MAX_HOLIDAYS = 60
export const settingsForm = z.object({
  forGuests: z.boolean(),
  hasMap: z.boolean(),
  reopenDays: whole(0, 365, 'Enter 0 to 365 days.'),
  workDays: z.array(whole(1, 7, 'Enter days of the week as 1 (Monday) to 7 (Sunday).')).check(
    z.minLength(1, 'Choose at least one business day.'),
    z.refine((days) => new Set(days).size === days.length, { error: 'Choose each day only once.' }),
  ),
  holidays: z.array(z.object({ on: isoDate, name: line(60).check(z.minLength(1, 'Enter a holiday name.')) })).check(
    z.maxLength(MAX_HOLIDAYS, { error: () => say`Enter up to ${MAX_HOLIDAYS} holidays.` }),
    z.refine((days) => new Set(days.map(({ on }) => on)).size === days.length, {
      error: 'Enter only one holiday for each date.',
    }),
  ),
})

export const requestSettings = endpoint({
  path: 'muni/return/request/settings',
  summary: 'Returns the settings for requests',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({
    settings: settingsForm,
    /** Opening hours from the company's configuration. */
    hours: z.object({ opens: z.string(), closes: z.string() }),
    can: z.object({ edit: z.boolean() }),
  }),
})

export const saveRequestSettings = formCall({
  path: 'muni/save/request/settings',
  summary: 'Saves the settings for requests',
  access: change,
  body: z.extend(settingsForm, { companyId, basis }),
})
