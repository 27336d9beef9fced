import { Trans } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import { call } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { saveForm, showForm } from '../contract.ts'
import { forms } from '../list.ts'
import { formFields } from '../rules.ts'
import type { FormDetails } from './form.ts'
import { FormFields } from './FormFields.tsx'

interface Props {
  id: number
  onClose: () => void
}

export function EditForm({ id, onClose }: Props) {
  const { data, error, refetch } = useResponse(showForm, { templateId: id })
  if (data) return <Loaded key={id} form={data.form} onClose={onClose} />
  return (
    <SlideOut title={<Trans>Edit form</Trans>} onClose={onClose}>
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingState>
          <Trans>Loading form</Trans>
        </LoadingState>
      )}
    </SlideOut>
  )
}

function Loaded({
  form: { id, title, description, category },
  onClose,
}: {
  form: FormDetails['form']
  onClose: () => void
}) {
  const form = useZodForm(formFields, {
    defaultValues: { title, description, category: category as never },
    basis: { title, description, category },
    draft: { name: `edit-form-${id}` },
  })
  const save = async (values: z.output<typeof formFields>) => {
    toast((await call(saveForm, { templateId: id, ...values, basis: form.basis })).message)
    await Promise.all([reload(forms.call), reload(showForm)])
    onClose()
  }
  return (
    <FormSlideOut title={<Trans>Edit {title}</Trans>} form={form} onSubmit={save} onClose={onClose}>
      <FormFields fields={form.field} />
    </FormSlideOut>
  )
}
