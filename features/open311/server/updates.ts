import { sql } from 'kysely'
import * as z from 'zod/mini'
import { lockCase } from '../../../server/cases/entries.ts'
import { writeAsRequester } from '../../../server/cases/guest.ts'
import { notFound } from '../../../server/errors.ts'
import { say } from '../../../shared/messages.ts'
import { numberOf } from '../../service-requests/rules.ts'
import { requests } from '../../service-requests/api.ts'
import { requestStates, type RequestStatus } from '../../service-requests/states.ts'
import { isOpen, MAX_ROWS, spanOf } from '../rules.ts'
import { type Open311Request, parameterOf, timeArgumentOf, type Open311Response, invalidArguments } from './request.ts'
import { description, mediaUrl, withMedia } from './report.ts'
import { photoUrl, photosOf } from './photos.ts'
import { idsIn, publicRequests } from './requests.ts'
import { IMAGE, type ReportedPhoto } from './take-photo.ts'

interface Row {
  id: number
  update_id: string
  at: Date
  status: string
  text: string | null
  /** Case entry of a staff reply, with photos that the program may see. Null if the update is only a status change. */
  entry_id: number | null
}

/**
 * Returns updates of requests, an Open311 extension by FixMyStreet. Updates are status changes and, for the program
 * that sent the request, staff replies. Internal notes and messages sent through an emailed link are never included.
 */
export async function updates(input: Open311Request): Promise<Open311Response> {
  const ids = parameterOf(input, 'service_request_id')
  const which = ids === '' ? sql`true` : sql`r.id = ANY(${idsIn(ids)}::bigint[])`
  const { from, to } = spanOf(
    timeArgumentOf(input, 'start_date'),
    timeArgumentOf(input, 'end_date'),
    input.context.clock.now(),
  )
  const { rows, photos } = await input.call.reading(async (tx) => {
    const visible = await publicRequests(tx, input)
    // `updated_at` is never earlier than the last transition. Its index therefore finds all requests with newer
    // transitions.
    const page = await sql<Row>`
      WITH told AS (SELECT r.id, o.request_id IS NOT NULL AS is_own FROM ${visible.from}
        WHERE ${visible.where} AND r.updated_at >= ${from} AND ${which}),
      step AS (SELECT h.subject_id AS id, h.seq, h.at, h.to_state FROM told
        JOIN status_history h ON h.company_id = ${input.company.id} AND h.machine = ${requestStates.name} AND h.subject_id = told.id)
      SELECT id, 's' || id || '-' || seq AS update_id, at, to_state AS status, NULL AS text, NULL::bigint AS entry_id FROM step
      WHERE seq > 1 AND at BETWEEN ${from} AND ${to}
      UNION ALL
      SELECT told.id, 'e' || e.id, e.at,
        (SELECT to_state FROM step WHERE step.id = told.id AND step.at <= e.at ORDER BY seq DESC LIMIT 1), e.text, e.id
      FROM told JOIN case_entry e ON e.company_id = ${input.company.id} AND e.subject_kind = ${requests.calls.kind} AND e.subject_id = told.id
      WHERE told.is_own AND e.kind = 'reply' AND e.visibility = 'everyone' AND e.at BETWEEN ${from} AND ${to}
      ORDER BY at, update_id LIMIT ${MAX_ROWS}`.execute(tx)
    const entries = page.rows.flatMap(({ entry_id }) => entry_id ?? [])
    return { rows: page.rows, photos: await photosOf(tx, input.company, 'case_entry', entries) }
  })
  const photoOf = (entry: number | null): string | null => {
    const file = entry === null ? undefined : photos.get(entry)?.[0]
    return file && input.key ? photoUrl(input.context, input.company, `key-${input.key.id}`, file) : null
  }
  return {
    root: 'service_request_updates',
    value: rows.map(({ id, update_id, at, status, text, entry_id }) => {
      const state = Number(status) as RequestStatus
      return {
        update_id,
        service_request_id: numberOf(id),
        status: isOpen(state) ? 'OPEN' : 'CLOSED',
        updated_datetime: at.toISOString(),
        description: text ?? requestStates.labels[state],
        media_url: photoOf(entry_id),
      }
    }),
  }
}

const updateSchema = z.object({
  update_id: z
    .string()
    .check(
      z.minLength(
        1,
        'Send an update_id, your own number for the update. An update with the same number is stored only once.',
      ),
      z.maxLength(100, 'An update_id can have up to 100 characters.'),
    ),
  description,
  media_url: mediaUrl,
})

/**
 * Adds another portal's update to the timeline, as a message from the requester. The status in the update is ignored.
 */
export function takeUpdate(input: Open311Request, key: { id: number }): Promise<Open311Response> {
  const { call, company } = input
  const parsed = updateSchema.safeParse({
    update_id: parameterOf(input, 'update_id'),
    description: parameterOf(input, 'description'),
    media_url: parameterOf(input, 'media_url'),
  })
  if (!parsed.success)
    throw invalidArguments(
      Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message])),
    )
  const { update_id, media_url } = parsed.data
  const text = withMedia(parsed.data.description, media_url)
  if (text === '') throw invalidArguments({ description: say`Send the text of the update in the description.` })
  const [id = 0] = idsIn(parameterOf(input, 'service_request_id'))
  return call.inCompany(async (tx) => {
    const ownRequest = await tx
      .selectFrom('open311_request')
      .select('request_id')
      .where('company_id', '=', company.id)
      .where('request_id', '=', id)
      .where('key_id', '=', key.id)
      .executeTakeFirst()
    if (!ownRequest) throw notFound('No request sent with this key has this service_request_id.')
    const row = await lockCase(tx, requests, company.id, id)
    const existing = await tx
      .selectFrom('open311_update')
      .select('entry_id')
      .where('company_id', '=', company.id)
      .where('request_id', '=', id)
      .where('update_id', '=', update_id)
      .executeTakeFirst()
    const entry_id = existing?.entry_id ?? (await writeAsRequester(tx, call, requests, row, { text, files: [] }))
    if (!existing) {
      await tx
        .insertInto('open311_update')
        .values({ company_id: company.id, request_id: id, update_id, entry_id })
        .execute()
      if (media_url !== '') {
        const photo: ReportedPhoto = { company: company.id, request: id, entry: entry_id, url: media_url }
        await call.context.jobs.enqueue(tx, IMAGE, photo)
      }
    }
    return { root: 'service_request_updates', value: [{ update_id: `e${entry_id}` }] }
  })
}
