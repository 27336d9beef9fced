import type { Selectable } from 'kysely'
import { attach, fileCall, findFileById, receiveFile, uploadResponse } from '../../../server/attachments/keep.ts'
import { partCalls } from '../../../server/attachments/parts.ts'
import { implement } from '../../../server/call.ts'
import { changeRow, rowFinderById } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import {
  recordCreation,
  type LockedEntity,
  defineStateStore,
  transition,
  type Transition,
  actorOf,
} from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/messages.ts'
import { downloadDocument, transitionDocument, onboardingFiles, sendDocument } from '../contract.ts'
import { type DocumentStatus, documentStates } from '../states.ts'
import { refreshStatus } from './onboardings.ts'
import { lockOnboarding } from './rows.ts'

type Document = Selectable<Schema['onboarding_document']>

const perCompany = defineLimit('onboarding-document', { max: 30 })

const { find: findDocument, lock: lockDocument } = rowFinderById('onboarding_document', () =>
  notFound('This document was not found.'),
)

const lockedDocument = (row: Document): LockedEntity<DocumentStatus> => ({
  id: row.id,
  state: row.status,
  name: say`The document`,
  details: { kind: row.kind },
})

const documentStateStore = defineStateStore({
  machine: documentStates,
  subject: 'onboarding_document',
  lock: async (tx, scope, id) => lockedDocument(await lockDocument(tx, scope as CompanyId, id)),
  write: (
    tx,
    {
      scope,
      locked,
      to,
      reason,
    }: Transition<DocumentStatus, EventOf<typeof documentStates>, LockedEntity<DocumentStatus>, undefined>,
  ) =>
    changeRow(tx, 'onboarding_document', scope, locked.id, {
      status: to,
      ...(to === 'replacement_needed' && { reason }),
    }),
})

/** Returns the current documents with their file names. */
export const documentsOf = (tx: Tx, company: CompanyId, onboarding: readonly number[]) =>
  tx
    .selectFrom('onboarding_document as d')
    .innerJoin('attachment as a', (join) =>
      join
        .onRef('a.company_id', '=', 'd.company_id')
        .onRef('a.subject_id', '=', 'd.id')
        .on('a.subject_kind', '=', onboardingFiles.subject)
        .on('a.kind', '=', onboardingFiles.kind),
    )
    .select(['d.id', 'd.onboarding_id', 'd.kind', 'd.status', 'd.reason', 'd.created_at', 'a.name'])
    .where('d.company_id', '=', company)
    .where('d.onboarding_id', 'in', [...onboarding, 0])
    .where('d.status', '<>', 'replaced')
    .orderBy('d.kind')
    .execute()

/** A new document replaces the earlier one. */
const sendDocumentCall = implement(sendDocument, async (call) => {
  const { company, context, body } = call
  await countAttempt(context, [perCompany(String(company.id))])
  return receiveFile(call, onboardingFiles, company.id, (received) =>
    call.inCompany(async (tx) => {
      const row = await lockOnboarding(tx, company.id, Number(body.id))
      const { kind } = body
      const actor = actorOf(call)
      const before = await tx
        .selectFrom('onboarding_document')
        .selectAll()
        .where('company_id', '=', company.id)
        .where('onboarding_id', '=', row.id)
        .where('kind', '=', kind)
        .where('status', '<>', 'replaced')
        .executeTakeFirst()
      if (before)
        await transition(tx, documentStateStore, {
          ...{ scope: company.id, id: before.id, locked: lockedDocument(before), event: 'replace', actor },
        })
      const { id } = await tx
        .insertInto('onboarding_document')
        .values({
          ...{ company_id: company.id, onboarding_id: row.id, kind, status: 'sent' },
          created_at: context.clock.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const file = await attach(tx, received, id)
      const detail = { kind, file: received.name, provider: row.provider }
      await recordCreation(tx, documentStateStore, { scope: company.id, id, event: 'send', actor, detail })
      await refreshStatus(tx, context, row)
      return uploadResponse(file.id, received)
    }),
  )
})

/** Locks the onboarding before its document. All code uses this order, to prevent deadlocks. */
const transitionDocumentCall = implement(transitionDocument, (call) =>
  call.inCompany(async (tx) => {
    const { company, context, body } = call
    const { onboarding_id } = await findDocument(tx, company.id, body.id)
    const row = await lockOnboarding(tx, company.id, onboarding_id)
    const { message } = await transition(tx, documentStateStore, {
      ...{ scope: company.id, id: body.id, event: body.event, actor: actorOf(call), reason: body.reason },
    })
    await refreshStatus(tx, context, row)
    return { success: true as const, message }
  }),
)

const downloadDocumentCall = fileCall(downloadDocument, (call) =>
  call.inCompany(async (tx) => {
    const { id } = await findDocument(tx, call.company.id, call.body.id)
    const file = await tx
      .selectFrom('attachment')
      .select('id')
      .where('company_id', '=', call.company.id)
      .where('subject_kind', '=', onboardingFiles.subject)
      .where('subject_id', '=', id)
      .where('kind', '=', onboardingFiles.kind)
      .executeTakeFirstOrThrow(() => notFound('This file was not found.'))
    return findFileById(tx, onboardingFiles, call.company.id, file.id)
  }),
)

export const documentCalls = [
  ...partCalls(onboardingFiles),
  sendDocumentCall,
  transitionDocumentCall,
  downloadDocumentCall,
]
