import { PLATFORM } from '../audit.ts'
import { originOf } from '../config.ts'
import type { Company } from '../hosts.ts'
import type { House } from '../house.ts'
import { inEnglish } from '../languages.ts'
import { textResident } from '../sms/queue.ts'
import { companyIdFrom, type Tx } from '../tenancy.ts'
import { layOut } from './layout.ts'
import { type Letter, type Notice, type Place, stoppableNotice, type StoppableNotice } from './notice.ts'
import { hasStopped, stopPath } from './stops.ts'
import { translated } from '../../shared/words.ts'

/** Where notices of a town, or of the platform (null), come from. */
export const placeOf = ({ config }: Pick<House, 'config'>, company: Company | null): Place => ({
  company,
  name: company?.name ?? 'Mainstreet',
  url: (path) => originOf(config, company?.subdomain ?? 'admin') + path,
})

interface Told<Facts> {
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

interface Waiting {
  company: number | null
  address: string
  event: string
}

/** Tells somebody of an event: it leaves after the caller's transaction, or never was. */
export async function notify<Facts>(tx: Tx, house: House, told: Told<Facts>): Promise<void> {
  const { at, to, notice, facts } = told
  const place = placeOf(house, at)
  if (notice.text && at && told.person !== undefined) {
    const { kind, waitSeconds = 0, words: wordsOf } = notice.text
    const toCaller = notice.required && notice.toCaller?.(facts)
    const words = toCaller ? wordsOf(facts) : inEnglish(() => wordsOf(facts))
    const wait = house.config.demo ? 0 : waitSeconds
    const sms = { company: at, person: told.person, event: notice.event, kind, waitSeconds: wait }
    if (words !== null) await textResident(tx, house, { ...sms, words })
  }
  if (notice.required) {
    const mail = () => mailLetter(tx, house, place, { to, notice, letter: notice.words(facts, place) })
    return notice.toCaller?.(facts) ? mail() : inEnglish(mail)
  }
  const now = house.clock.now()
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
  const seconds = house.config.demo ? 0 : notice.waitSeconds
  const after = new Date(now.getTime() + seconds * 1000)
  await house.jobs.enqueue(tx, JOB, { ...waiting, company: at?.id ?? null } satisfies Waiting, { after })
}

/** Sends what waited for somebody as one mail. */
export function defineNoticeJobs(house: House): void {
  house.jobs.define<Waiting>(JOB, async ({ company, address, event }) => {
    const notice = stoppableNotice(event)
    if (!notice) throw new Error(`there is no notice ${event}`)
    if (company === null)
      return house.acrossCompanies((tx) => sendWaiting(tx, house, placeOf(house, null), address, notice))
    const id = companyIdFrom('job', company)
    return house.inCompany(id, async (tx) => {
      const town = await house.hosts.byId(id, tx)
      if (town) await sendWaiting(tx, house, placeOf(house, town), address, notice)
    })
  })
}

/** What is taken and what is mailed are one transaction, so that a job that dies or runs twice sends each once. */
async function sendWaiting(
  tx: Tx,
  house: House,
  at: Place,
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
  const stopUrl = at.url(stopPath(house, mailbox, notice.event))
  await mailLetter(tx, house, at, { to: address, notice, letter, stopUrl })
}

interface Addressed {
  to: string
  notice: Pick<Notice<unknown>, 'why' | 'event'>
  letter: Letter
  stopUrl?: string
}

async function mailLetter(tx: Tx, house: House, at: Place, addressed: Addressed): Promise<void> {
  const { to, notice, letter, stopUrl } = addressed
  const { attachments } = letter
  const subject = translated(letter.subject)
  const { text, html } = layOut(at, letter, { why: notice.why(at), stopUrl: stopUrl ?? null })
  const extra = { event: notice.event, ...(attachments && { attachments }), ...(stopUrl && { stopUrl }) }
  await house.mailer.send(tx, at.company?.id ?? null, { to, subject, text, html, ...extra })
}
