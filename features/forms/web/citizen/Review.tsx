import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import type { Answers } from '../../../../shared/fields/answer.ts'
import type { Definition } from '../../../../shared/fields/definition.ts'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { AnswerReview } from '../../../../web/fields/AnswerReview.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { DetailList } from '../../../../web/ui/Card.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { SubmitButton } from '../../../../web/ui/FormButtons.tsx'
import { EmailField, TextField } from '../../../../web/ui/TextField.tsx'
import { type formDraft, sendForm } from '../../contract.ts'
import { feeOf } from '../../rules.ts'
import { useStepHeading } from '../../../../web/ui/step-heading.ts'
import { Money } from '../../../../web/ui/Money.tsx'

/** Data under review: a resident's draft, or an entry at the counter. */
interface ReviewContext {
  definition: Definition
  today: string
  fee: ResponseOf<typeof formDraft>['fee']
  contact: { name: string; email: string; phone: string }
  cosigned: boolean
  signer: { name: string; email: string }
  /** True for a resubmission, which skips the fee and the co-signer. */
  isSentBefore: boolean
  /** True if one person fills in the form for another person. */
  isForOther: boolean
}

export interface ReviewedSigner {
  contact: ReviewContext['contact']
  signer: ReviewContext['signer']
}

interface ReviewProps {
  of: ReviewContext
  answers: Answers
  /** Name of the draft in the browser, if the server does not store the entries. */
  draftName?: string
  /** True if payment is the next step. */
  payNext?: boolean
  /** Called to return to the questions, or to the named question. */
  onBack: (name?: string) => void
  /** Sends the answers. The review shows the error if sending fails. */
  onSend: (reached: ReviewedSigner) => Promise<void>
}

const { contact: contactOf, signer: signerOf } = sendForm.body.shape
const contactOnly = z.object({
  name: contactOf.shape.name,
  email: contactOf.shape.email,
  phone: contactOf.shape.phone,
  signerName: signerOf.shape.name,
  signerEmail: signerOf.shape.email,
})

/** Review of all answers before sending, with the sender's contact data. */
export function Review({ of, answers, draftName, payNext = false, onBack, onSend }: ReviewProps) {
  const { t } = useLingui()
  const { definition, today, contact, cosigned, signer, fee, isSentBefore, isForOther } = of
  const heading = useStepHeading()
  const form = useZodForm(contactOnly, {
    defaultValues: { ...contact, signerName: signer.name, signerEmail: signer.email },
    ...(draftName !== undefined && { draft: { name: draftName } }),
  })
  const cents = isSentBefore ? 0 : feeOf({ feeKind: fee.kind, feeCents: fee.cents }, definition, answers)
  return (
    <Form
      form={form}
      onSubmit={({ signerName, signerEmail, ...reached }) =>
        onSend({ contact: reached, signer: { name: signerName, email: signerEmail } })
      }
    >
      <div>
        <h2 ref={heading} tabIndex={-1}>
          <Trans>Review</Trans>
        </h2>
        <p className="mt-2 text-muted">
          <Trans>You have not submitted anything yet.</Trans>
        </p>
      </div>
      <AnswerReview definition={definition} answers={answers} today={today} onChange={onBack} />
      {cents > 0 && fee.kind === 'fixed' && (
        <DetailList
          details={[
            [
              t`Fee`,
              <strong key="fee">
                <Money cents={cents} />
              </strong>,
            ],
          ]}
        />
      )}
      <Button onClick={() => onBack()}>
        <Trans>Back to questions</Trans>
      </Button>
      <h3>{isForOther ? <Trans>Their contact details</Trans> : <Trans>Contact details</Trans>}</h3>
      <TextField label={t`Name`} autoComplete={isForOther ? 'off' : 'name'} {...form.field('name')} />
      <EmailField
        hint={t`Status updates and requested copies of the form are sent to this address.`}
        optional
        {...form.field('email')}
      />
      <TextField
        label={t`Phone`}
        type="tel"
        autoComplete={isForOther ? 'off' : 'tel'}
        optional
        {...form.field('phone')}
      />
      {cosigned && !isSentBefore && (
        <>
          <h3>
            <Trans>Second signer</Trans>
          </h3>
          <p className="text-muted">
            <Trans>
              We will email the second signer a link to read and sign this form. The form will be submitted after they
              sign.
            </Trans>
          </p>
          <TextField label={t`Their name`} autoComplete="off" {...form.field('signerName')} />
          <EmailField label={t`Their email`} autoComplete="off" {...form.field('signerEmail')} />
        </>
      )}
      <SubmitButton form={form} busyLabel={<Trans>Submitting…</Trans>}>
        {cents > 0 && payNext && !cosigned ? <Trans>Submit and go to payment</Trans> : <Trans>Submit</Trans>}
      </SubmitButton>
    </Form>
  )
}
