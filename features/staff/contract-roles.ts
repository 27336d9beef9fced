import * as z from 'zod/mini'
import { areas, levels, officeAreas, type OfficeArea } from '../../shared/areas.ts'
import { basis, companyId, line } from '../../shared/body-parts.ts'
import { decent } from '../../shared/decency.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { done } from '../../shared/responses.ts'
import { companyRoles } from './rules.ts'

const audience = ['municipality', 'platform'] as const
const viewAccess: Access = { audience, privilege: ['staff', 'view'] }
const change: Access = { audience, privilege: ['staff', 'update'] }

/** Builds a schema for a number from a select element, which may send a string. */
export const choice = (message: string) =>
  z.pipe(
    z.union([z.int(), z.string().check(z.regex(/^\d{1,15}$/, message))], { error: message }),
    z.transform((value) => Number(value)),
  )

const ROLE = 'Choose a role from the list.'
/** Key of a role: `preset:fire`, or `role:12` for a role that the municipality saved. */
export const roleKey = z.string({ error: ROLE }).check(z.regex(/^(?:preset:[a-z_]{1,30}|role:[1-9]\d{0,14})$/, ROLE))

/** Mask of each area. */
const mask = choice('Choose a level.')
const masks = Object.fromEntries(
  officeAreas.map((name) => [name, mask.check(z.minimum(0), z.maximum(levels.manage))]),
) as Record<OfficeArea, typeof mask>
export const areaMasks = z.object(masks)
export type AreaMasks = z.output<typeof areaMasks>

const NAME = 'Enter the name of the role, up to 60 characters.'
export const roleForm = z.extend(areaMasks, {
  name: line(60).check(z.minLength(1, NAME), decent),
  /** Rank: staff, manager or administrator (spec 6.1). A higher rank may change accounts of the lower ones. */
  roleId: choice('Choose a rank.').check(
    z.refine((value) => value in companyRoles, { error: 'Choose a rank from the list.' }),
  ),
})

const staffRole = z.object({
  key: z.string(),
  name: z.string(),
  roleId: z.int(),
  /** True for a preset that the municipality has not changed. */
  isPreset: z.boolean(),
  /** Number of people with this role. */
  people: z.int(),
  masks: z.record(z.string(), z.int()),
  can: z.object({ view: z.boolean(), edit: z.boolean(), copy: z.boolean(), remove: z.boolean() }),
  /** Reason why the role cannot be changed. Empty if it can be changed. */
  why: z.string(),
})

export const listRoles = endpoint({
  path: 'muni/return/municipality/roles',
  summary: "Returns the roles of a company's staff",
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({
    roles: z.array(staffRole),
    /** Number of people with a role from before the areas. */
    before: z.int(),
  }),
})

/** Creates a role if `role` is null. A changed preset becomes a role of the municipality. */
export const saveRole = formCall({
  path: 'muni/save/municipality/role',
  summary: 'Creates a role for staff, or saves its name, rank and levels',
  access: change,
  whileImpersonating: 'refused',
  body: z.extend(roleForm, { companyId, role: z.nullable(roleKey), basis }),
  response: z.extend(done, { role: z.string() }),
})

export const removeRole = formCall({
  path: 'muni/remove/municipality/role',
  summary: 'Removes a role that no one has',
  access: change,
  whileImpersonating: 'refused',
  body: z.object({ companyId, role: roleKey }),
})

const opened = z.object({ screens: z.array(z.string()), calls: z.array(z.string()) })

/** Lists what each level of each area opens. Generated from the declarations of screens and calls. */
export const describeAreas = endpoint({
  path: 'muni/return/municipality/areas',
  summary: 'Returns the screens and calls that each level of an area opens',
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({
    areas: z.record(z.enum(Object.keys(areas) as [OfficeArea]), z.object({ view: opened, do: opened, manage: opened })),
  }),
})
