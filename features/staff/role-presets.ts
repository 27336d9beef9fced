import { type Level, levels, type OfficeArea, officeAreas } from '../../shared/areas.ts'
import { type Privileges, roles } from '../../shared/privileges.ts'

/** Role that each municipality has from the start. Each gives the least that its job needs. */
export interface RolePreset {
  name: string
  /** Rank: staff, manager or administrator (spec 6.1). */
  roleId: number
  levels: Readonly<Partial<Record<OfficeArea, Level>>>
}

/** Returns the mask of each area. */
export const masksOf = (chosen: RolePreset['levels']): Privileges =>
  Object.fromEntries(officeAreas.map((name) => [name, levels[chosen[name] ?? 'none']]))

const { municipalityStaff, municipalityManager, municipalityAdmin } = roles
const everywhere = (level: Level) => Object.fromEntries(officeAreas.map((name) => [name, level]))
/** All staff plan their day on the dashboard. */
const dashboard = { dashboard: 'do' } as const

export const rolePresets = {
  staff: {
    name: 'Municipality Staff',
    roleId: municipalityStaff,
    levels: { ...dashboard, requests: 'do', faqs: 'view', customers: 'view' },
  },
  counter_service: {
    name: 'Front Desk',
    roleId: municipalityStaff,
    levels: {
      ...dashboard,
      ...{ requests: 'do', faqs: 'view', submissions: 'do', registration: 'do', moves: 'do', rentals: 'do' },
      ...{ parking: 'view', customers: 'do', payments: 'view', counter: 'do' },
    },
  },
  cashier: {
    name: 'Cashier',
    roleId: municipalityStaff,
    levels: { ...dashboard, counter: 'do', customers: 'view', payments: 'view', parking: 'view' },
  },
  crew: {
    name: 'Crew',
    roleId: municipalityStaff,
    levels: { ...dashboard, work_orders: 'do', assets: 'view', field_work: 'do' },
  },
  inspector: {
    name: 'Inspector',
    roleId: municipalityStaff,
    levels: { ...dashboard, inspections: 'do', field_work: 'do', registration: 'view', submissions: 'view' },
  },
  fire: {
    name: 'Fire',
    roleId: municipalityStaff,
    levels: { ...dashboard, hydrants: 'do', premise_notes: 'do', inspections: 'do', field_work: 'do' },
  },
  communications: {
    name: 'Communications',
    roleId: municipalityStaff,
    levels: { ...dashboard, alerts: 'manage', faqs: 'manage', requests: 'view' },
  },
  permits: {
    name: 'Permits',
    roleId: municipalityStaff,
    levels: { ...dashboard, forms: 'manage', submissions: 'manage', registration: 'do', inspections: 'view' },
  },
  recreation: {
    name: 'Recreation',
    roleId: municipalityStaff,
    levels: { ...dashboard, rentals: 'manage', general_payments: 'do', refunds: 'view' },
  },
  parking: {
    name: 'Parking',
    roleId: municipalityStaff,
    levels: { ...dashboard, parking: 'manage', chat: 'do', payments: 'view' },
  },
  public_works_lead: {
    name: 'Public Works Lead',
    roleId: municipalityManager,
    levels: {
      ...dashboard,
      ...{ requests: 'manage', chat: 'manage', work_orders: 'manage', assets: 'manage', inspections: 'manage' },
      ...{ hydrants: 'manage', field_work: 'manage', places: 'do', alerts: 'view' },
    },
  },
  finance: {
    name: 'Finance',
    roleId: municipalityManager,
    levels: {
      ...dashboard,
      ...{ customers: 'view', billing_files: 'manage', general_payments: 'do', payments: 'manage' },
      ...{ adjustments: 'manage', refunds: 'manage', counter: 'view', reconcile: 'manage', closing: 'manage' },
      ...{ ledger: 'manage', merchant_reports: 'manage', fees: 'manage', parking: 'view', reports: 'do' },
    },
  },
  manager: {
    name: 'Municipality Manager',
    roleId: municipalityManager,
    levels: {
      ...everywhere('manage'),
      ...{ reconcile: 'none', closing: 'none', ledger: 'none', staff: 'none', departments: 'do' },
      ...{ settings: 'view', audit: 'none', integrations: 'none', sign_in_as: 'none' },
    },
  },
  administrator: { name: 'Municipality Admin', roleId: municipalityAdmin, levels: everywhere('manage') },
} as const satisfies Record<string, RolePreset>

export type PresetKey = keyof typeof rolePresets
export const presetKeys = Object.keys(rolePresets) as PresetKey[]
