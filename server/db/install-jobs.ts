import type pg from 'pg'
import { PgBoss } from 'pg-boss'

/** Schema of the job queue's tables. */
export const JOBS_SCHEMA = 'jobs'

/**
 * Installs or updates the job queue's tables as the owner role. The application and platform roles may use the tables
 * but don't own them.
 */
export async function installJobs(owner: pg.Client, ownerUrl: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: ownerUrl,
    schema: JOBS_SCHEMA,
    supervise: false,
    schedule: false,
    max: 1,
  })
  await boss.start()
  await boss.stop({ graceful: false })
  await owner.query(`
    GRANT USAGE ON SCHEMA ${JOBS_SCHEMA} TO mainstreet_app, mainstreet_platform;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${JOBS_SCHEMA} TO mainstreet_app, mainstreet_platform;
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${JOBS_SCHEMA} TO mainstreet_app, mainstreet_platform;
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${JOBS_SCHEMA} TO mainstreet_app, mainstreet_platform`)
}
