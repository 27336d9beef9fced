import { currentSession, storeKeys, sessionReady } from '../session.ts'
import { eraseOfflineData, offlineOwner, OWNER_KEY } from './offline-data.ts'

/** Session data, without the token, of the person who downloaded data for offline work. */
interface FieldUser {
  userId: string
  [name: string]: string
}

function storedOwner(): FieldUser | null {
  try {
    return JSON.parse(offlineOwner() ?? 'null') as FieldUser | null
  } catch {
    return null
  }
}

/**
 * Stores the account data of the person who downloaded the day's work, so that the screen opens offline, even in a new
 * tab.
 */
export function rememberOwner(): void {
  const session = currentSession()
  if (!session || session.impersonating) return
  const user: FieldUser = {
    auth: '1',
    userId: session.userId,
    profilename: session.profileName,
    email: session.email,
    UN: String(session.un),
    privileges: JSON.stringify(session.privileges),
    ...(session.companyId !== null && { companyId: session.companyId }),
  }
  try {
    localStorage.setItem(OWNER_KEY, JSON.stringify(user))
  } catch {
    // Without storage, the screen asks for a sign-in after the tab is closed.
  }
}

/** True if the page came from this device's storage, because no server was reached (`worker.ts`). */
export const isFromDevice = (): boolean => 'fromDevice' in document.documentElement.dataset

/**
 * Starts the page. If the page came from the device and has no session, its user is the person who downloaded their
 * day's work. That user has no token, so the first call that reaches the server asks for a sign-in.
 */
export async function enterStored(start: () => Promise<void>): Promise<void> {
  await sessionReady
  const [session, user] = [currentSession(), storedOwner()]
  if (user && session && !session.impersonating && session.userId !== user.userId) eraseOfflineData()
  if (user && !session && isFromDevice()) storeKeys({ ...user, tkn: 'none' })
  return start()
}
