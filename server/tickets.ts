import type { FastifyInstance } from 'fastify'
import { audiencesOf, type Endpoint } from '../shared/endpoint.ts'
import { may } from '../shared/privileges.ts'
import { Arrived, type Call, CALL_PREFIX, type Download, type Implemented, signedIn } from './call.ts'
import { notAllowed, notFound } from './errors.ts'
import type { House } from './house.ts'
import { actorStillMay, auditImpersonatedCall } from './impersonation.ts'
import { findSessionByHash, hashSecret, newSecret, type Session, sessionColumns, sessionOf } from './sessions.ts'
import { type CompanyId, companyIdFrom, type Tx } from './tenancy.ts'

/** How long a ticket for a download may wait for the browser. */
const TICKET_SECONDS = 60

/** Keeps the question of a download and answers the address where it can be fetched, once. */
export async function issueTicket(call: Call, endpoint: Endpoint): Promise<{ url: string }> {
  const session = signedIn(call)
  const code = newSecret()
  await call.inCompany((tx) =>
    tx
      .insertInto('download_ticket')
      .values({
        company_id: call.company.id,
        code_hash: hashSecret(code),
        call: endpoint.path,
        body: JSON.stringify(call.body),
        person_id: session.personId,
        person_kind: session.kind,
        expires_at: new Date(call.house.clock.now().getTime() + TICKET_SECONDS * 1000),
        used_at: null,
        session_hash: session.impersonation && session.tokenHash,
      })
      .execute(),
  )
  return { url: `${CALL_PREFIX}download/${call.company.id}/${code}` }
}

/** Mounts the address behind which tickets are redeemed. The person's rights are looked up anew. */
export function mountDownloads(app: FastifyInstance, house: House, calls: readonly Implemented[]): void {
  const byPath = new Map(calls.filter((c) => c.endpoint.answers === 'download').map((c) => [c.endpoint.path, c]))
  app.get<{ Params: { company: string; code: string } }>(
    `${CALL_PREFIX}download/:company/:code`,
    async (request, reply) => {
      const host = await house.hosts.resolve(request.headers.host)
      const id = Number(request.params.company)
      const company =
        host.kind === 'town'
          ? host.company
          : host.kind === 'admin' && Number.isSafeInteger(id)
            ? await house.hosts.byId(id)
            : null
      if (!company || company.id !== id) throw gone()
      const ticket = await house.inCompany(company.id, (tx) => redeem(tx, house, company.id, request.params.code))
      const implemented = ticket && byPath.get(ticket.call)
      if (!ticket || !implemented) throw gone()
      const session = ticket.session_hash
        ? await impersonatedHolder(house, ticket.session_hash, company.id)
        : await holder(house, ticket.person_kind, ticket.person_id, company.id)
      const { access } = implemented.endpoint
      if (
        !session ||
        !audiencesOf(access).includes(session.kind) ||
        (access.privilege && !may(session.privileges, ...access.privilege))
      )
        throw notAllowed()
      request.caller = { companyId: company.id, session }
      const call = new Arrived({ house, host, town: company, session, request, body: ticket.body })
      await auditImpersonatedCall(call, implemented.endpoint)
      const { name, contentType, stream } = (await implemented.handle(call as unknown as Call<never>)) as Download
      return reply
        .header('content-type', contentType)
        .header('content-disposition', `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"`)
        .header('cache-control', 'no-store')
        .send(stream)
    },
  )
}

const gone = () => notFound('This download link was used or is too old. Go back and press the button again.')

async function redeem(tx: Tx, house: House, company: CompanyId, code: string) {
  const now = house.clock.now()
  return tx
    .updateTable('download_ticket')
    .set({ used_at: now })
    .where('company_id', '=', company)
    .where('code_hash', '=', hashSecret(code))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['call', 'body', 'person_id', 'person_kind', 'session_hash'])
    .executeTakeFirst()
}

/** Who asked in another's place, if that session still stands: the file then goes to both their accounts. */
async function impersonatedHolder(house: House, hash: Buffer, company: CompanyId): Promise<Session | null> {
  const session = await house.inCompany(company, (tx) => findSessionByHash(tx, house, hash, company, null))
  return session && (await actorStillMay(house, session)) ? session : null
}

/** The person who asked, if they still may sign in. */
async function holder(house: House, kind: Session['kind'], id: number, company: CompanyId): Promise<Session | null> {
  const person =
    kind === 'platform'
      ? await house.acrossCompanies((tx) =>
          tx
            .selectFrom('platform_person')
            .select(sessionColumns)
            .where('id', '=', id)
            .where('is_active', '=', 1)
            .where('locked_at', 'is', null)
            .executeTakeFirst(),
        )
      : await house.inCompany(company, (tx) =>
          tx
            .selectFrom('person')
            .select(sessionColumns)
            .where('company_id', '=', company)
            .where('id', '=', id)
            .where('is_active', '=', 1)
            .where('locked_at', 'is', null)
            .executeTakeFirst(),
        )
  if (!person) return null
  const session = sessionOf(person, kind === 'platform' ? null : companyIdFrom('host', company))
  return { ...session, tokenHash: Buffer.alloc(0), expiresAt: new Date(8.64e15) }
}
