import { runAutopay } from '../features/autopay/server/run.ts'
import { features } from '../portal/server.ts'
import { buildApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import { joinPortal } from '../server/db/database.ts'
import { Jobs } from '../server/jobs.ts'
import { openLog } from '../server/log.ts'
import { openMailer } from '../server/mailer.ts'
import { openFiles } from '../server/open-files.ts'
import { fromThatMorning } from './autopay-company.ts'

/**
 * This program runs AutoPay until all charges are done. The test starts it several times and kills it before the
 * charges are done.
 */
const clock = fromThatMorning()
const config = readConfig(process.env, 'start')
const { pools: db, urls } = await joinPortal(config)
const { log } = openLog(config)
const jobs = new Jobs(urls, clock, log)
const mailer = openMailer({ config, clock, jobs, db })
const files = await openFiles(config, clock)
const pages = { development: false, html: async () => '<!doctype html><!--head--><!--boot-->', mount: async () => {} }
const { context } = await buildApp({ config, clock, log, jobs, mailer, files, pages, db, features })
await jobs.open()
while ((await runAutopay(context)).charged > 0);
process.stdout.write('nothing left\n')
process.exit(0)
