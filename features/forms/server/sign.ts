import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import { defineNotice } from '../../../server/notices/notice.ts'
import { notify, noticeSenderOf } from '../../../server/notices/notify.ts'
import { hashSecret, newSecret } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { namesSigner, notTheSigner, readSignature } from '../../../shared/fields/signature.ts'
import { say } from '../../../shared/messages.ts'
import { signForm, toSign } from '../contract.ts'
import { answersAsText, numberOf, submissionStatus } from '../rules.ts'
import { requesterOf } from './case.ts'
import { enterSubmission } from './enter.ts'
import { sentOf, type Submission } from './row.ts'
import { readType } from './types.ts'

interface SignerNoticeData {
  from: string
  title: string
  link: string
}

/** Invitation to the co-signer. Recipients get it only because a sender named them, so it has no unsubscribe link. */
const toSigner = defineNotice<SignerNoticeData>({
  event: 'form.to_sign',
  required: true,
  why: ({ name }) =>
    say`You are receiving this email because someone named you as the second signer on a form for ${name}.`,
  content: ({ title, link }) => ({
    subject: say`Please sign “${title}”`,
    paragraphs: [
      say`Someone filled out the form “${title}” and named you as the second signer. Use the link below to read and sign the form. The form will not be submitted without your signature.`,
      say`If you were not expecting this, you can ignore this email.`,
      { label: say`Read and sign`, url: link },
    ],
  }),
})

/** Emails the co-signer a separate link. The new link replaces an earlier link. */
export async function sendSignLink(tx: Tx, call: Call, { id, name, title, signer_email }: Submission): Promise<void> {
  const { context, company } = call
  const secret = newSecret()
  await changeRow(tx, 'form_submission', company.id, id, { signer_token_hash: hashSecret(secret) })
  const link = noticeSenderOf(context, company).url(`/forms-documents/sign/${secret}`)
  await notify(tx, context, { at: company, to: signer_email, notice: toSigner, data: { from: name, title, link } })
}

async function findBySignLink(tx: Tx, call: Call<{ token: string }>, lock = false): Promise<Submission> {
  const { rows } = await sql<Submission>`
    SELECT * FROM form_submission WHERE company_id = ${call.company.id} AND signer_token_hash = ${hashSecret(call.body.token)}
    ${lock ? sql`FOR UPDATE` : sql``}`.execute(tx)
  if (!rows[0] || rows[0].status === submissionStatus.withdrawn)
    throw notFound('This link is not valid, or the form was withdrawn. Contact the person who filled out the form.')
  return rows[0]
}

export const toSignCall = implement(toSign, (call) =>
  call.reading(async (tx) => {
    const row = await findBySignLink(tx, call)
    const { definition, answers } = await sentOf(tx, call.company.id, row)
    return {
      number: numberOf(row.id),
      title: row.title,
      from: row.name,
      signer: row.signer_name,
      signed: row.signed_at !== null,
      answers: answersAsText(definition, answers),
    }
  }),
)

export const signFormCall = implement(signForm, (call) =>
  call.inCompany(async (tx) => {
    const { context, company, body } = call
    const row = await findBySignLink(tx, call, true)
    if (row.signed_at !== null) throw conflict('signed', say`Form ${numberOf(row.id)} is already signed. Thank you.`)
    const at = context.clock.now()
    // The first round saves exactly the content shown to the co-signer, in the same transaction.
    const { answer: signature } = readSignature(body.signature)
    if (signature && 'typed' in signature && !namesSigner(signature.typed, row.signer_name)) {
      const message = notTheSigner(row.signer_name)
      throw rejected(message, { signature: message })
    }
    const evidence = { ...signature, agreed: true, address: call.address, version: row.version }
    await changeRow(tx, 'form_submission', company.id, row.id, {
      signed_at: at,
      signer_evidence: JSON.stringify(evidence),
    })
    const subject = { kind: 'form_submission' as const, id: numberOf(row.id) }
    await call.audit(tx, { action: 'submission.signed', subject, detail: { name: row.signer_name } })
    const type = await readType(tx, company.id, row.type_id, true)
    await enterSubmission(tx, call, { ...row, signed_at: at }, type, requesterOf(call, row))
    return { success: true as const, message: say`Thank you. Form ${numberOf(row.id)} was signed and submitted.` }
  }),
)
