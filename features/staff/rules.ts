import { staffPrivileges } from '../../shared/areas.ts'
import { labelledMask, labelledPermissions } from '../../shared/privilege-labels.ts'
import {
  defaultsOf,
  may,
  mayEnterAdmin,
  policyNames,
  type PrivilegeName,
  privilegeNames,
  type Privileges,
  rights,
  roles,
} from '../../shared/privileges.ts'
import { say } from '../../shared/messages.ts'

/** Roles that staff screens can assign (spec 6.1, product rules section 3). */
export const companyRoles: Readonly<Record<number, string>> = {
  [roles.municipalityStaff]: 'Municipality Staff',
  [roles.municipalityManager]: 'Municipality Manager',
  [roles.municipalityAdmin]: 'Municipality Admin',
}
export const platformRoles: Readonly<Record<number, string>> = {
  [roles.provider]: 'Provider',
  [roles.callCenter]: 'Call Center',
  [roles.support]: 'Support',
  [roles.manager]: 'Manager',
  [roles.superAdministrator]: 'Super Administrator',
}

/** Municipality positions (spec 6.1). */
export const positions: Readonly<Record<number, string>> = { 1: 'Staff', 2: 'Deputy Manager', 3: 'Manager' }

/** Query of the staff screens that opens the invitation of an administrator. */
export const INVITE_ADMINISTRATOR = 'add=1&as=preset:administrator'

/** Hours in which an invited person can set a password. */
export const INVITATION_HOURS = 72

/** Returns true if a platform staff member may work on support requests. */
export const readsSupport = (person: { role_id: number; privileges: Privileges }): boolean =>
  mayEnterAdmin(person.role_id) &&
  may(staffPrivileges(person.role_id, person.privileges), 'communication_management', 'view')

/** Lists the policies and areas among `names` in which two sets of privileges differ. */
export const differences = <Name extends PrivilegeName>(
  names: readonly Name[],
  one: Privileges,
  other: Privileges,
): Name[] => names.filter((name) => (one[name] ?? 0) !== (other[name] ?? 0))

/** Selects the masks of policies that differ from the role's defaults. */
export const differing = (roleId: number, privileges: Privileges): Privileges =>
  pick(differences(policyNames, privileges, defaultsOf(roleId)), privileges)

/** Selects the masks with these names. A missing mask is 0. */
export const pick = (names: readonly PrivilegeName[], privileges: Privileges): Privileges =>
  Object.fromEntries(names.map((name) => [name, privileges[name] ?? 0]))

/** Returns the bits that are in `after` but not in `before`. */
export const gained = (after: Privileges, before: Privileges): Privileges =>
  Object.fromEntries(privilegeNames.map((name) => [name, (after[name] ?? 0) & ~(before[name] ?? 0)]))

/** Applies the changes from `basis` to `requested` to the bits of `now`. All other bits of `now` stay the same. */
export const toggled = (
  now: Privileges,
  basis: Privileges,
  requested: Privileges,
  names: readonly PrivilegeName[] = policyNames,
): Privileges =>
  Object.fromEntries(
    names.map((name) => {
      const changed = (requested[name] ?? 0) ^ (basis[name] ?? 0)
      return [name, ((now[name] ?? 0) & ~changed) | ((requested[name] ?? 0) & changed)]
    }),
  )

/**
 * Adds the bits of permissions without a label, such as inviting people, to the masks from the matrix. Only the role's
 * defaults contain these bits, so no one can grant them. They apply only if the person may use the sub-module.
 */
export function wholeMasks(roleId: number, visible: Privileges): Privileges {
  const usual = defaultsOf(roleId)
  return Object.fromEntries(
    policyNames.map((name) => {
      const labelled = labelledMask(name)
      const mask = (visible[name] ?? 0) & labelled
      const first = labelledPermissions(name)[0]?.[0]
      const opened = first !== undefined && (mask & rights[first]) !== 0
      return [name, mask | (opened ? (usual[name] ?? 0) & ~labelled : 0)]
    }),
  )
}

/** Returns a short name for a browser and its system, such as `Firefox on Windows`. */
export function deviceText(agent: string): string {
  const browser = /Edg(?:e|A|iOS)?\//.test(agent)
    ? 'Edge'
    : /OPR\//.test(agent)
      ? 'Opera'
      : /Firefox\/|FxiOS\//.test(agent)
        ? 'Firefox'
        : /Chrome\/|CriOS\//.test(agent)
          ? 'Chrome'
          : /Safari\//.test(agent)
            ? 'Safari'
            : ''
  const system = /iPhone|iPad/.test(agent)
    ? 'iOS'
    : /Android/.test(agent)
      ? 'Android'
      : /Windows/.test(agent)
        ? 'Windows'
        : /Mac OS X|Macintosh/.test(agent)
          ? 'macOS'
          : /CrOS/.test(agent)
            ? 'ChromeOS'
            : /Linux/.test(agent)
              ? 'Linux'
              : ''
  if (browser && system) return say`${browser} on ${system}`
  return browser || system || agent.slice(0, 40)
}

/** Texts of the refusal reasons in the Login Report, by the codes that the `identity` feature records. */
export const refusalReasons: Readonly<Record<string, string>> = {
  unknown_email: 'No account with this email',
  wrong_password: 'Wrong password',
  no_password: 'No password set yet',
  inactive: 'Account is inactive',
  locked: 'Account is locked',
  wrong_code: 'Wrong code',
  wrong_passkey: 'Passkey not accepted',
}

/** Sign-in methods, as the Login Report shows them. */
export const signInMethods: Readonly<Record<string, string>> = {
  password: 'Password',
  sso: 'Single sign-on',
  'sso + code': 'Single sign-on and authenticator code',
  'sso + recovery code': 'Single sign-on and recovery code',
  'sso + passkey': 'Single sign-on and passkey',
  hand_off: 'Sign-in from billing system',
  'hand_off + code': 'Sign-in from billing system and authenticator code',
  'hand_off + recovery code': 'Sign-in from billing system and recovery code',
  'hand_off + passkey': 'Sign-in from billing system and passkey',
  'password + code': 'Password and authenticator code',
  'password + recovery code': 'Password and recovery code',
  'password + passkey': 'Password and passkey',
  passkey: 'Passkey',
}
