import type { House } from '../../../server/house.ts'

/** What has expired answers nobody any more: it goes, every hour. */
export function defineSsoJobs(house: House): void {
  house.jobs.define(
    'sso.sweep',
    () =>
      house.acrossCompanies(async (tx) => {
        const now = house.clock.now()
        for (const table of ['sso_attempt', 'sso_pending', 'ccs_hand_off'] as const)
          await tx.deleteFrom(table).where('expires_at', '<', now).execute()
      }),
    { cron: '23 * * * *' },
  )
}
