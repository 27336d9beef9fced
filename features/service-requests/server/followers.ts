import { sql } from 'kysely'
import * as z from 'zod/mini'
import { notFound } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { defineNotice } from '../../../server/notices/notice.ts'
import { notify, noticeSenderOf } from '../../../server/notices/notify.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say, translated } from '../../../shared/messages.ts'
import { numberOf } from '../rules.ts'
import { requestStates } from '../states.ts'
import type { Request } from './row.ts'

const link = z.object({ follower: z.int(), company: z.int() })

/**
 * Returns the path of the page on which a follower confirms or unfollows. The path contains a sealed token that no one
 * can forge.
 */
export const followPath = ({ secrets }: AppContext, company: number, follower: number): string =>
  `/communication/followed/${secrets.seal(JSON.stringify({ follower, company } satisfies z.output<typeof link>))}`

/**
 * Reads the follower id from a sealed token.
 * @throws 404 if the token is invalid or belongs to another company
 */
export function readFollow({ secrets }: AppContext, company: CompanyId, sealed: string): number {
  try {
    const { follower, company: linkCompany } = link.parse(JSON.parse(secrets.open(sealed)))
    if (linkCompany === company) return follower
  } catch {
    // Treats a token that cannot be decrypted like a token of another company.
  }
  throw notFound('This link is incorrect. Open it again from the email.')
}

interface FollowerNoticeData {
  number: string
  state: string
  url: string
}

const why = () =>
  say`You are receiving this email because you follow this request. Use the link in this email to unfollow.`

/**
 * Notice to followers. `required` keeps the notice out of digests, because the email contains the recipient's own link
 * to unfollow.
 */
const updateNotice = defineNotice<FollowerNoticeData>({
  event: 'request.update',
  required: true,
  why,
  content: ({ number, state, url }) => ({
    subject: say`Update on request ${number}`,
    paragraphs: [
      say`Request ${number}, which you follow, now has the status “${state}”.`,
      { label: say`View request or unfollow`, url },
    ],
  }),
})

const confirm = defineNotice<{ number: string; url: string }>({
  event: 'request.confirm_follow',
  required: true,
  toCaller: () => true,
  why: () => say`You are receiving this email because someone entered this address to follow a request.`,
  content: ({ number, url }) => ({
    subject: say`Follow request ${number}?`,
    paragraphs: [
      say`Use this link to confirm that you want updates on request ${number}. If this was not you, ignore this email.`,
      { label: say`Follow request`, url },
    ],
  }),
})

/** Asks a guest to confirm the email address. The guest gets no other emails before the confirmation. */
export const sendFollowConfirmation = (
  tx: Tx,
  context: AppContext,
  company: Company,
  to: string,
  follower: number,
  request: number,
) =>
  notify(tx, context, {
    at: company,
    to,
    notice: confirm,
    data: {
      number: numberOf(request),
      url: noticeSenderOf(context, company).url(followPath(context, company.id, follower)),
    },
  })

/** Emails the current status to all confirmed followers. Skips the requester, who receives a separate email. */
export async function notifyFollowers(
  tx: Tx,
  context: AppContext,
  company: Company,
  row: Pick<Request, 'id' | 'status' | 'email'>,
) {
  const followers = await tx
    .selectFrom('request_follower')
    .select(['id', 'email'])
    .where('company_id', '=', company.id)
    .where('request_id', '=', row.id)
    .where('verified_at', 'is not', null)
    .where('stopped_at', 'is', null)
    .where((row_) => row_(row_.fn<string>('lower', ['email']), '<>', row.email.toLowerCase()))
    .execute()
  const state = translated(requestStates.labels[row.status])
  for (const { id, email } of followers) {
    const url = noticeSenderOf(context, company).url(followPath(context, company.id, id))
    await notify(tx, context, {
      at: company,
      to: email,
      notice: updateNotice,
      data: { number: numberOf(row.id), state, url },
    })
  }
}

/**
 * Adds a follower, or reactivates one who unfollowed. Because the person chose to follow, they stay a follower after a
 * merge is undone.
 * @returns the follower's id
 */
export async function addFollower(
  tx: Tx,
  company: CompanyId,
  {
    request,
    email,
    person,
    at,
    verified,
  }: { request: number; email: string; person: number | null; at: Date; verified: boolean },
): Promise<number> {
  // Uses a single statement, so that two clicks in parallel add only one follower.
  const { rows } = await sql<{ id: number }>`
    INSERT INTO request_follower AS f (company_id, request_id, email, person_id, since, verified_at)
    VALUES (${company}, ${request}, ${email}, ${person}, ${at}, ${verified ? at : null})
    ON CONFLICT (company_id, request_id, lower(email)) DO UPDATE
      SET stopped_at = NULL, came_from = NULL, verified_at = coalesce(excluded.verified_at, f.verified_at)
    RETURNING id`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('a follower was neither added nor found')
  return row.id
}
