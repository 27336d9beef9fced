import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import * as z from 'zod/mini'
import type { Answers } from '../../../../shared/fields/answer.ts'
import type { AnswerOf } from '../../../../shared/endpoint.ts'
import { formatCents } from '../../../../shared/money.ts'
import { call, CallError } from '../../../../web/call.ts'
import { go } from '../../../../web/go.ts'
import { reload } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Facts } from '../../../../web/ui/Card.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { SubmitButton } from '../../../../web/ui/FormButtons.tsx'
import { EmailField, TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { formDraft, residentForms, sendForm } from '../../contract.ts'
import { answersInWords, feeOf } from '../../rules.ts'

interface ReviewProps {
  draft: AnswerOf<typeof formDraft>
  answers: Answers
  onBack: () => void
  /** A new version came meanwhile. */
  onChanged: () => void
}

const contactOnly = z.object({
  name: sendForm.body.shape.contact.shape.name,
  email: sendForm.body.shape.contact.shape.email,
  phone: sendForm.body.shape.contact.shape.phone,
  signerName: sendForm.body.shape.signer.shape.name,
  signerEmail: sendForm.body.shape.signer.shape.email,
})

/** Everything once more before it is sent, and how whoever sends it is reached. */
export function Review({ draft, answers, onBack, onChanged }: ReviewProps) {
  const { t } = useLingui()
  const { id, version, definition, contact, cosigned, signer, fee, status, forWhom } = draft
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const form = useZodForm(contactOnly, {
    defaultValues: { ...contact, signerName: signer.name, signerEmail: signer.email },
  })
  const cents = status === 10 ? feeOf({ feeKind: fee.kind, feeCents: fee.cents }, definition, answers) : 0
  return (
    <Form
      form={form}
      onSubmit={async ({ signerName, signerEmail, ...reached }) => {
        try {
          const sent = await call(sendForm, {
            ...{ submissionId: id, version, answers: { ...answers }, contact: reached },
            signer: { name: signerName, email: signerEmail },
          })
          toast(sent.message)
          await reload(residentForms)
          go(`/forms-documents/submission/${sent.token}`)
        } catch (error) {
          if (!(error instanceof CallError) || error.code !== 'changed_since') throw error
          toast(error.message, 'danger')
          onChanged()
        }
      }}
    >
      <div>
        <h2 ref={heading} tabIndex={-1}>
          <Trans>Look it over</Trans>
        </h2>
        <p className="mt-2 text-muted">
          <Trans>Nothing is sent yet.</Trans>
        </p>
      </div>
      <Facts
        facts={[
          ...answersInWords(definition, answers).map(({ label, value }) => [label, value || '–'] as const),
          ...(cents > 0 && fee.kind === 'fixed'
            ? ([[t`Fee`, <strong key="fee">{formatCents(cents)}</strong>]] as const)
            : []),
        ]}
      />
      <Button onClick={onBack}>
        <Trans>Change something</Trans>
      </Button>
      <h3>{forWhom ? <Trans>How they are reached</Trans> : <Trans>How you are reached</Trans>}</h3>
      <TextField label={t`Name`} autoComplete="name" {...form.field('name')} />
      <EmailField hint={t`For a copy, and what becomes of it`} optional {...form.field('email')} />
      <TextField label={t`Phone`} type="tel" autoComplete="tel" optional {...form.field('phone')} />
      {cosigned && status === 10 && (
        <>
          <h3>
            <Trans>Who signs as well</Trans>
          </h3>
          <p className="text-muted">
            <Trans>They get a link by mail to read this and sign it. It counts as sent from then on.</Trans>
          </p>
          <TextField label={t`Their name`} autoComplete="off" {...form.field('signerName')} />
          <EmailField label={t`Their email`} autoComplete="off" {...form.field('signerEmail')} />
        </>
      )}
      <SubmitButton form={form} busyLabel={<Trans>Sending…</Trans>}>
        {cents > 0 ? <Trans>Send and go on to payment</Trans> : <Trans>Send</Trans>}
      </SubmitButton>
    </Form>
  )
}
