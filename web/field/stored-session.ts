import { currentSession, keep, sessionReady } from '../session.ts'
import { eraseTaken, tookAlong, WHO } from './who-took.ts'

/** All that the session says of whoever took something along, without its token. */
interface FieldUser {
  userId: string
  [name: string]: string
}

function whoTook(): FieldUser | null {
  try {
    return JSON.parse(tookAlong() ?? 'null') as FieldUser | null
  } catch {
    return null
  }
}

/** Somebody took their day along: the screen opens for them without a connection, in a new tab as well. */
export function rememberWho(): void {
  const session = currentSession()
  if (!session || session.impersonating) return
  const who: FieldUser = {
    ...{ auth: '1', userId: session.userId, profilename: session.profileName, email: session.email },
    ...{ UN: String(session.un), privileges: JSON.stringify(session.privileges) },
    ...(session.companyId !== null && { companyId: session.companyId }),
  }
  try {
    localStorage.setItem(WHO, JSON.stringify(who))
  } catch {
    // Without it the screen asks for the sign-in where the tab was closed meanwhile.
  }
}

/** Did the page come from this device, since no server was reached (`worker.ts`)? */
export const isFromDevice = (): boolean => 'fromDevice' in document.documentElement.dataset

/**
 * A tab without a session, on a page that came from the device, belongs to whoever took their day along. There is no token
 * in it: with the first call that reaches the server it asks for the sign-in.
 */
export async function enterKept(start: () => Promise<void>): Promise<void> {
  await sessionReady
  const [session, who] = [currentSession(), whoTook()]
  if (who && session && !session.impersonating && session.userId !== who.userId) eraseTaken()
  if (who && !session && isFromDevice()) keep({ ...who, tkn: 'none' })
  return start()
}
