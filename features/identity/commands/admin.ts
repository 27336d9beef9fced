import { InvitationRefused, inviteAdministrator } from '../server/invite-administrator.ts'
import { systemClock } from '../../../server/clock.ts'
import { readConfig } from '../../../server/config.ts'
import { joinDatabase } from '../../../server/db/database.ts'
import { runCommand } from '../../../server/lifetime.ts'
import { StartError } from '../../../server/start-error.ts'

/**
 * Runs `npm run admin -- create EMAIL`, which prints a single-use link. With this link, the first administrator sets a
 * password.
 */
await runCommand(async (lifetime) => {
  const [verb, email, ...more] = process.argv.slice(2)
  if (verb !== 'create' || !email || more.length > 0) throw new StartError('Usage: npm run admin -- create EMAIL')
  const config = readConfig(process.env, 'start')
  const database = await joinDatabase(config)
  lifetime.onStop(database.close)
  const link = await inviteAdministrator({ db: database.pools, clock: systemClock, config }, email).catch(
    (error: unknown) => {
      throw error instanceof InvitationRefused ? new StartError(error.message) : error
    },
  )
  console.log(link)
})
