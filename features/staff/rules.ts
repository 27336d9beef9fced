import { labelledMask, labelledRights } from '../../shared/privilege-labels.ts'
import {
  defaultsOf,
  may,
  mayEnterAdmin,
  policies,
  type PolicyName,
  type Privileges,
  rights,
  roles,
} from '../../shared/privileges.ts'
import { say } from '../../shared/words.ts'

/** Roles that a town's and the platform's screens hand out (specification 6.1; product rules, section 3). */
export const townRoles: Readonly<Record<number, string>> = {
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

/** Municipality positions (specification 6.1). */
export const positions: Readonly<Record<number, string>> = { 1: 'Staff', 2: 'Deputy Manager', 3: 'Manager' }

/** Who was invited has so long to set a password. */
export const INVITATION_HOURS = 72

const names = Object.keys(policies) as PolicyName[]

/** What somebody may do: the role's defaults, with what was changed for this person. */
export const effective = (roleId: number, changed: Privileges): Privileges => ({ ...defaultsOf(roleId), ...changed })

/** Does somebody of the platform work on support requests? */
export const readsSupport = (person: { role_id: number; privileges: Privileges }): boolean =>
  mayEnterAdmin(person.role_id) && may(effective(person.role_id, person.privileges), 'communication_management', 'view')

/** The masks that differ from the role's defaults; they alone are kept. */
export const differing = (roleId: number, privileges: Privileges): Privileges =>
  Object.fromEntries(
    names
      .filter((name) => (privileges[name] ?? 0) !== (defaultsOf(roleId)[name] ?? 0))
      .map((name) => [name, privileges[name] ?? 0]),
  )

/** The policies in which `wanted` has bits that `held` has not. */
export const beyond = (wanted: Privileges, held: Privileges): PolicyName[] =>
  names.filter((name) => ((wanted[name] ?? 0) & ~(held[name] ?? 0)) !== 0)

/** Bits that `after` has and `before` had not. */
export const gained = (after: Privileges, before: Privileges): Privileges =>
  Object.fromEntries(names.map((name) => [name, (after[name] ?? 0) & ~(before[name] ?? 0)]))

/** What somebody may do when the bits in which `wanted` differs from `basis` are changed in `now`, and no others. */
export const toggled = (now: Privileges, basis: Privileges, wanted: Privileges): Privileges =>
  Object.fromEntries(
    names.map((name) => {
      const changed = (wanted[name] ?? 0) ^ (basis[name] ?? 0)
      return [name, ((now[name] ?? 0) & ~changed) | ((wanted[name] ?? 0) & changed)]
    }),
  )

/**
 * The masks that the matrix asks for, made whole. Bits without a label (such as inviting people) are the role's alone:
 * they come with the first right of their sub-module and go with it, and nobody hands them out.
 */
export function wholeMasks(roleId: number, shown: Privileges): Privileges {
  const usual = defaultsOf(roleId)
  return Object.fromEntries(
    names.map((name) => {
      const labelled = labelledMask(name)
      const mask = (shown[name] ?? 0) & labelled
      const first = labelledRights(name)[0]?.[0]
      const opened = first !== undefined && (mask & rights[first]) !== 0
      return [name, mask | (opened ? (usual[name] ?? 0) & ~labelled : 0)]
    }),
  )
}

/** A browser's name for itself in a few words: `Firefox on Windows`. */
export function deviceWords(agent: string): string {
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

/** Why a sign-in was refused, as `identity` writes it down. */
export const refusalReasons: Readonly<Record<string, string>> = {
  unknown_email: 'No account with this email',
  wrong_password: 'Wrong password',
  no_password: 'No password set yet',
  inactive: 'Account is inactive',
  locked: 'Account is locked',
  wrong_code: 'Wrong code',
  wrong_passkey: 'Passkey not accepted',
}

/** How somebody showed who they are, in the words of the Login Report. */
export const signInWays: Readonly<Record<string, string>> = {
  password: 'Password',
  sso: 'Single sign-on',
  'sso + code': 'Single sign-on and code',
  'sso + recovery code': 'Single sign-on and recovery code',
  'sso + passkey': 'Single sign-on and passkey',
  hand_off: 'Hand-off by the billing system',
  'hand_off + code': 'Hand-off and code',
  'hand_off + recovery code': 'Hand-off and recovery code',
  'hand_off + passkey': 'Hand-off and passkey',
  'password + code': 'Password and code',
  'password + recovery code': 'Password and recovery code',
  'password + passkey': 'Password and passkey',
  passkey: 'Passkey',
}
