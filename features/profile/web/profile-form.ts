import * as z from 'zod/mini'
import type { ResponseOf, RequestInputOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { reload } from '../../../web/query.ts'
import { currentSession, renameSession } from '../../../web/session.ts'
import { PROFILE_ROLE, profileForm, returnProfile, saveProfile } from '../contract.ts'

export type Profile = ResponseOf<typeof returnProfile>['user']
type FormData = RequestInputOf<typeof saveProfile>['formData']

export const PASSWORD_NEEDED = 'To change your email, enter your password.'

/** Creates the validation schema of the profile. A new email requires the password. */
export const formFor = ({ email }: Pick<Profile, 'email'>) =>
  z.extend(profileForm, { password: z.string() }).check((ctx) => {
    const { email: typed, password } = ctx.value
    if (typed.toLowerCase() !== email.toLowerCase() && password === '')
      ctx.issues.push({ code: 'custom', input: password, path: ['password'], message: PASSWORD_NEEDED })
  })

/** Returns the initial values of the fields, without the email. */
export const valuesOf = (profile: Profile) => {
  const { first_name, last_name, service_address, city, state, zipcode, mobile_no } = profile
  return { first_name, last_name, service_address, city, state, zipcode, mobile_no }
}

/**
 * Saves the profile (spec 7.2), with 'a' for both alerts, and updates the name in the session.
 * @returns the confirmation message
 */
export async function save(formData: FormData, basis: Record<string, unknown> | undefined): Promise<string> {
  const session = currentSession()
  const { msg } = await call(saveProfile, {
    companyId: session?.companyId ?? null,
    userId: session?.userId ?? null,
    formData: { ...formData, active_phone_alerts: 'a', active_email_alerts: 'a' },
    role: PROFILE_ROLE,
    basis,
  })
  renameSession({ name: `${formData.first_name} ${formData.last_name}`.trim() })
  await reload(returnProfile)
  return msg
}
