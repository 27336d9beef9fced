import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { typePhone } from '../../../../shared/phone.ts'
import { AttachFiles } from '../../../../web/cases/AttachFiles.tsx'
import { ContactFields, LeaveEmpty } from '../../../../web/cases/ContactFields.tsx'
import { StepButtons, StepCard } from '../../../../web/cases/SendingSteps.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { TextArea } from '../../../../web/ui/TextField.tsx'
import { requestCase, reportForm } from '../../contract.ts'
import { type Choices, REPORT_DRAFT, type DetailsForm } from './steps.ts'

interface Props {
  choices: Choices
  moved: boolean
  onDetails: (details: DetailsForm) => void
  onBack: () => void
}

/** Step for the description, photos and contact details. */
export function ReportStep({ choices: { prefill }, moved, onDetails, onBack }: Props) {
  const { t } = useLingui()
  const [uploading, setUploading] = useState(false)
  const form = useZodForm(reportForm, {
    defaultValues: {
      description: '',
      files: [],
      leaveEmpty: '',
      name: prefill.name,
      email: prefill.email,
      phone: typePhone(prefill.phone),
    },
    draft: { name: REPORT_DRAFT, leaveOut: ['leaveEmpty'] },
  })
  return (
    <StepCard title={<Trans>Problem and contact details</Trans>} moved={moved}>
      <Form form={form} keepDraft draftIsMarked onSubmit={onDetails}>
        <TextArea
          label={t`What is wrong?`}
          hint={t`Describe what you saw and when it started. Never enter card numbers here.`}
          rows={4}
          maxLength={4000}
          {...form.field('description')}
        />
        <AttachFiles of={requestCase} field={form.choice('files')} onBusy={setUploading} />
        <ContactFields field={form.field} mailed={t`We will email you the request number and updates.`} />
        <LeaveEmpty field={form.field('leaveEmpty')} />
        <StepButtons form={form} disabled={uploading} isLast onBack={onBack} />
      </Form>
    </StepCard>
  )
}
