import type { ReceivedFile } from '../../../server/attachments/keep.ts'
import { addMessage, lockCase } from '../../../server/cases/entries.ts'
import { mailPerson } from '../../../server/cases/emails.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { InnerAddress } from '../../../server/outgoing.ts'
import type { TransitionActor } from '../../../server/states.ts'
import { cleanText } from '../../../shared/fields/read.ts'
import { say } from '../../../shared/words.ts'
import { moveRequest, requests } from '../../service-requests/server/case.ts'
import { replyLetter } from '../../service-requests/server/emails.ts'
import type { Request } from '../../service-requests/server/row.ts'
import { numberOf } from '../../service-requests/rules.ts'
import { isOpen } from '../rules.ts'
import { alertStaff } from './alert.ts'
import type { PortalContext } from './client.ts'
import { keep, type SentRequestRow } from './send.ts'
import { attachUnsent, PICTURE, systemOf, takePicture, type ReportedPhoto } from './take-picture.ts'
import type { PortalUpdate } from './their-answers.ts'

const MAX_PHOTOS = 5

/**
 * Brings what another portal told of a request into its conversation, each update once, and moves the request by its status
 * where the town wants that. Whoever asked hears of it by one mail.
 * @returns how many updates were new
 */
export async function apply(to: PortalContext, sent: SentRequestRow, theirs: readonly PortalUpdate[]): Promise<number> {
  const { context, company } = to
  const known = await context.readingCompany(company.id, (tx) => heard(tx, sent))
  const fresh = theirs.filter(({ id }) => !known.has(id))
  if (fresh.length === 0) return 0
  const { kept, lost, late } = await picturesFor(to, fresh)
  let isTaken = false
  try {
    return await context.inCompany(company.id, async (tx) => {
      const row = await lockCase(tx, requests, company.id, sent.request_id)
      const before = await heard(tx, sent)
      const still = fresh.filter(({ id }) => !before.has(id))
      if (still.length === 0) return 0
      await tx
        .insertInto('open311_heard')
        .values(still.map(({ id }) => ({ company_id: company.id, request_id: sent.request_id, update_id: id })))
        .onConflict((on) => on.doNothing())
        .execute()
      await tell(tx, to, { row, sent, theirs: still, lost, late, pictures: kept })
      isTaken = true
      return still.length
    })
  } finally {
    // What somebody else told meanwhile, or could not be told, is not kept twice.
    if (!isTaken) for (const { path } of kept) await context.files.remove(path)
  }
}

const heard = async (tx: Tx, { company_id, request_id }: SentRequestRow): Promise<Set<string>> => {
  const rows = await tx
    .selectFrom('open311_heard')
    .select('update_id')
    .where(({ and }) => and({ company_id, request_id }))
    .execute()
  return new Set(rows.map(({ update_id }) => update_id))
}

/** What can't be had is told by its address, so that nothing is lost; `late`: what may be had at another try. */
async function picturesFor({ context, company }: PortalContext, theirs: readonly PortalUpdate[]) {
  const kept: ReceivedFile[] = []
  const lost: string[] = []
  const late: string[] = []
  for (const url of new Set(theirs.map(({ picture }) => picture).filter(Boolean))) {
    const received =
      kept.length < MAX_PHOTOS
        ? await takePicture(context, company.id, url).catch((error: unknown) => {
            if (!(error instanceof InnerAddress)) late.push(url)
            return null
          })
        : null
    if (received) kept.push(received)
    else lost.push(url)
  }
  return { kept, lost, late }
}

interface UpdateInput {
  row: Request
  sent: SentRequestRow
  theirs: readonly PortalUpdate[]
  lost: readonly string[]
  late: readonly string[]
  pictures: readonly ReceivedFile[]
}

async function tell(
  tx: Tx,
  to: PortalContext,
  { row, sent, theirs, lost, late, pictures }: UpdateInput,
): Promise<void> {
  const { context, company, portal } = to
  const status = theirs.findLast((one) => one.status !== '')?.status ?? ''
  const isChange = status !== '' && status !== sent.their_status
  const event = isChange && portal.follows_status ? eventBy(row, status) : null
  const words = new Set([...theirs.map(({ text }) => cleanText(text)), ...lost].filter(Boolean))
  const text = [...words].join('\n\n').slice(0, 4000)
  const files: string[] = []
  for (const picture of pictures) files.push(await attachUnsent(tx, picture))
  if (text !== '' || files.length > 0) {
    // Whoever sent it and cancelled it hears of it no more: the staff do.
    const isFor = requests.noReply(row) === null
    const says = text || say`A picture of ${portal.name}.`
    const by = { kind: 'municipality' as const, id: null, name: portal.name }
    const entry = await addMessage(tx, context, requests, row, isFor ? 'reply' : 'note', {
      by,
      text: says,
      at: context.clock.now(),
      files,
    })
    // It comes beside the words as one that a program told of does. One is taken so, where none came with the words.
    const [url] = late
    if (url && files.length === 0) {
      const told: ReportedPhoto = { company: company.id, request: row.id, entry, url }
      await context.jobs.enqueue(tx, PICTURE, told)
    }
    if (isFor) {
      const texted = () => say`we answered your request ${numberOf(row.id)}. The answer is in your email.`
      const letter = () => replyLetter(row.id, says, event === 'complete')
      await mailPerson(tx, context, requests, company, row, letter, { texted })
    }
  }
  if (event) {
    const who: TransitionActor = { as: 'system', actor: systemOf(context), clock: context.clock }
    await moveRequest(tx, { context, company, who }, { id: row.id, event, tell: text === '' ? true : 'followers' })
  } else if (isChange && !portal.follows_status)
    await alertStaff(
      tx,
      context,
      row,
      status === 'closed' ? say`${portal.name} closed it.` : say`${portal.name} opened it again.`,
    )
  if (isChange) await keep(tx, sent, { their_status: status })
}

/** Only steps that the request can take: what is cancelled or invalid here stays so. */
function eventBy({ status }: Request, theirs: 'open' | 'closed'): 'complete' | 'reopen' | null {
  if (theirs === 'closed') return isOpen(status) ? 'complete' : null
  return status === 2 ? 'reopen' : null
}
