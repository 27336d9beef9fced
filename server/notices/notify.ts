import { PLATFORM } from '../audit.ts'
import { originOf } from '../config.ts'
import type { Company } from '../hosts.ts'
import type { AppContext } from '../app-context.ts'
import { inEnglish } from '../languages.ts'
import { textResident } from '../sms/queue.ts'
import { companyIdFrom, type Tx } from '../tenancy.ts'
import { layOut } from './layout.ts'
import { type Letter, type Notice, type NoticeSender, stoppableNotice, type StoppableNotice } from './notice.ts'
import { hasStopped, stopPath } from './stops.ts'
import { translated } from '../../shared/words.ts'

/** Where notices of a town, or of the platform (null), come from. */
export const placeOf = ({ config }: Pick<AppContext, 'config'>, company: Company | null): NoticeSender => ({
  company,
  name: company?.name ?? 'Mainstreet',
  url: (path) => originOf(config, company?.subdomain ?? 'admin') + path,
})

interface NotifyInput<Facts> {
  /** The town, or the platform (null), in a transaction of whose rights this is. */
  at: Company | null
  /** An email address. */
  to: string
  /** The resident who has it: then their choice about alerts counts, and they may have agreed to texts. */
  person?: number
  notice: Notice<Facts>
  facts: Facts
}

const JOB = 'notices.send'

interface PendingNotice {
  company: number | null
  address: string
  event: string
}

/** Tells somebody of an event: it leaves after the caller's transaction, or never was. */
export async function notify<Facts>(tx: Tx, context: AppContext, told: NotifyInput<Facts>): Promise<void> {
  const { at, to, notice, facts } = told
  const place = placeOf(context, at)
  if (notice.text && at && told.person !== undefined) {
    const { kind, waitSeconds = 0, words: wordsOf } = notice.text
    const toCaller = notice.required && notice.toCaller?.(facts)
    const words = toCaller ? wordsOf(facts) : inEnglish(() => wordsOf(facts))
    const wait = context.config.demo ? 0 : waitSeconds
    const sms = { company: at, person: told.person, event: notice.event, kind, waitSeconds: wait }
    if (words !== null) await textResident(tx, context, { ...sms, words })
  }
  if (notice.required) {
    const mail = () => mailLetter(tx, context, place, { to, notice, letter: notice.words(facts, place) })
    return notice.toCaller?.(facts) ? mail() : inEnglish(mail)
  }
  const now = context.clock.now()
  const waiting = { address: to.toLowerCase(), event: notice.event }
  await tx
    .insertInto('notice_waiting')
    .values({
      ...waiting,
      company_id: at?.id ?? PLATFORM,
      person_id: told.person ?? null,
      facts: JSON.stringify(facts),
      at: now,
    })
    .execute()
  // The first job that runs takes all that wait by then, and the others find nothing.
  // Whoever tries the demo looks for the mail at once.
  const seconds = context.config.demo ? 0 : notice.waitSeconds
  const after = new Date(now.getTime() + seconds * 1000)
  await context.jobs.enqueue(tx, JOB, { ...waiting, company: at?.id ?? null } satisfies PendingNotice, { after })
}

/** Sends what waited for somebody as one mail. */
export function defineNoticeJobs(context: AppContext): void {
  context.jobs.define<PendingNotice>(JOB, async ({ company, address, event }) => {
    const notice = stoppableNotice(event)
    if (!notice) throw new Error(`there is no notice ${event}`)
    if (company === null)
      return context.acrossCompanies((tx) => sendWaiting(tx, context, placeOf(context, null), address, notice))
    const id = companyIdFrom('job', company)
    return context.inCompany(id, async (tx) => {
      const town = await context.hosts.byId(id, tx)
      if (town) await sendWaiting(tx, context, placeOf(context, town), address, notice)
    })
  })
}

/** What is taken and what is mailed are one transaction, so that a job that dies or runs twice sends each once. */
async function sendWaiting(
  tx: Tx,
  context: AppContext,
  at: NoticeSender,
  address: string,
  notice: StoppableNotice<unknown>,
): Promise<void> {
  const mailbox = { company: at.company?.id ?? PLATFORM, address }
  const taken = await tx
    .deleteFrom('notice_waiting')
    .where('company_id', '=', mailbox.company)
    .where('address', '=', address)
    .where('event', '=', notice.event)
    .returning(['id', 'facts', 'person_id'])
    .execute()
  if (taken.length === 0) return
  if (await hasStopped(tx, mailbox, notice.event, taken[0]?.person_id ?? null)) return
  const inOrder = taken.toSorted((one, other) => one.id - other.id)
  // The same twice is said once.
  const all = [...new Map(inOrder.map(({ facts }) => [JSON.stringify(facts), facts])).values()]
  const letter = all.length === 1 ? notice.words(all[0], at) : notice.together(all, at)
  const stopUrl = at.url(stopPath(context, mailbox, notice.event))
  await mailLetter(tx, context, at, { to: address, notice, letter, stopUrl })
}

interface AddressedNotice {
  to: string
  notice: Pick<Notice<unknown>, 'why' | 'event'>
  letter: Letter
  stopUrl?: string
}

async function mailLetter(tx: Tx, context: AppContext, at: NoticeSender, addressed: AddressedNotice): Promise<void> {
  const { to, notice, letter, stopUrl } = addressed
  const { attachments } = letter
  const subject = translated(letter.subject)
  const { text, html } = layOut(at, letter, { why: notice.why(at), stopUrl: stopUrl ?? null })
  const extra = { event: notice.event, ...(attachments && { attachments }), ...(stopUrl && { stopUrl }) }
  await context.mailer.send(tx, at.company?.id ?? null, { to, subject, text, html, ...extra })
}
