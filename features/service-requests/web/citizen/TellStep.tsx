import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { typePhone } from '../../../../shared/phone.ts'
import { AttachFiles } from '../../../../web/cases/AttachFiles.tsx'
import { ContactFields, LeaveEmpty } from '../../../../web/cases/ContactFields.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { Card } from '../../../../web/ui/Card.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { TextArea } from '../../../../web/ui/TextField.tsx'
import { useStepHeading } from '../../../../web/ui/step-heading.ts'
import { requestCase, tellForm } from '../../contract.ts'
import { type Choices, TELL_DRAFT, type Told } from './steps.ts'

interface Props {
  choices: Choices
  moved: boolean
  onTold: (told: Told) => void
  onBack: () => void
}

/** What is wrong, photos of it, and how to reach whoever reports it. */
export function TellStep({ choices: { known }, moved, onTold, onBack }: Props) {
  const { t } = useLingui()
  const heading = useStepHeading(moved)
  const [uploading, setUploading] = useState(false)
  const form = useZodForm(tellForm, {
    defaultValues: {
      description: '',
      files: [],
      leaveEmpty: '',
      name: known.name,
      email: known.email,
      phone: typePhone(known.phone),
    },
    draft: { name: TELL_DRAFT, leaveOut: ['leaveEmpty'] },
  })
  return (
    <Card as="div">
      <h2 ref={heading} tabIndex={-1} className="mb-4 text-h3">
        <Trans>What is wrong, and who are you?</Trans>
      </h2>
      <Form form={form} keepDraft draftIsMarked onSubmit={onTold}>
        <TextArea
          label={t`What is wrong?`}
          hint={t`What you saw, and since when. Never write card numbers here.`}
          rows={4}
          maxLength={4000}
          {...form.field('description')}
        />
        <AttachFiles of={requestCase} field={form.choice('files')} onBusy={setUploading} />
        <ContactFields field={form.field} mailed={t`We mail you the number, and what becomes of it.`} />
        <LeaveEmpty field={form.field('leaveEmpty')} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" look="primary" busy={form.formState.isSubmitting} disabled={uploading}>
            <Trans>Look at it once more</Trans>
          </Button>
          <Button onClick={onBack}>
            <Trans>Back</Trans>
          </Button>
        </div>
      </Form>
    </Card>
  )
}
