import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { call } from '../../../../web/call.ts'
import { AttachFiles, idsOf } from '../../../../web/cases/AttachFiles.tsx'
import { currentSession } from '../../../../web/session.ts'
import { useStepHeading } from '../../../../web/ui/step-heading.ts'
import { SendButton } from '../../../../web/ui/SendButton.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { forgetDraft, useZodForm } from '../../../../web/ui/form.ts'
import { EmailField, TextArea, TextField } from '../../../../web/ui/TextField.tsx'
import { contestCase, contestForm, contestTicket } from '../../contract.ts'

interface ContestFormProps {
  citation: string
  plate: string
  plateState: string
  onSent: (message: string) => Promise<void>
}

/** Form to contest a ticket. The reply arrives by email with a link to the case. */
export function ContestForm({ citation, plate, plateState, onSent }: ContestFormProps) {
  const { t } = useLingui()
  const heading = useStepHeading()
  const [uploading, setUploading] = useState(false)
  const session = currentSession()
  const form = useZodForm(contestForm, {
    defaultValues: { name: session?.profileName ?? '', email: session?.email ?? '', grounds: '', files: [] },
    draft: { name: `parking-contest:${citation}` },
  })
  return (
    <section aria-labelledby={`contest-${citation}`} className="mt-6 border-line border-t pt-5">
      <h4 ref={heading} tabIndex={-1} id={`contest-${citation}`} className="mb-3 text-h3">
        <Trans>Contest ticket {citation}</Trans>
      </h4>
      <p className="mb-4 max-w-text">
        <Trans>
          After you submit your contest request, no payment will be due and no late fees will be added until we decide.
          You can contest a ticket only once.
        </Trans>
      </p>
      <Form
        form={form}
        onSubmit={async ({ files, ...values }) => {
          const sent = await call(contestTicket, { ...values, citation, plate, plateState, files: idsOf(files) })
          forgetDraft(form)
          await onSent(sent.message)
        }}
      >
        <TextArea
          label={t`Why is the ticket wrong?`}
          hint={t`Describe what happened. You can add photos, a permit or a receipt below.`}
          rows={5}
          maxLength={4000}
          {...form.field('grounds')}
        />
        <AttachFiles of={contestCase} field={form.choice('files')} onBusy={setUploading} />
        <TextField label={t`Name`} autoComplete="name" {...form.field('name')} />
        <EmailField hint={t`We will send the decision to this email address.`} {...form.field('email')} />
        <SendButton form={form} waits={uploading}>
          <Trans>Submit contest request</Trans>
        </SendButton>
      </Form>
    </section>
  )
}
