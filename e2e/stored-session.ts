import type { StartedSession } from '../shared/accounts.ts'

/** Returns the entries that the portal keeps in the storage of a tab with this session. */
export const storedSession = ({ token, user, privileges, expire_time }: StartedSession): Record<string, string> => ({
  ...{
    tkn: token,
    auth: '1',
    userId: String(user.id),
    privileges: JSON.stringify(privileges),
    tokenExpireTime: expire_time,
  },
  ...(user.company_id !== null && { companyId: String(user.company_id) }),
  ...{ profilename: `${user.first_name} ${user.last_name}`, email: user.email, UN: String(user.role_id) },
})
