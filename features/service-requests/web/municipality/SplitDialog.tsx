import { Trans, useLingui } from '@lingui/react/macro'
import { call } from '../../../../web/call.ts'
import { FormDialog } from '../../../../web/ui/FormDialog.tsx'
import { forgetDraft, useZodForm } from '../../../../web/ui/form.ts'
import { TextArea } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { splitForm, splitRequest } from '../../contract-staff.ts'
import { CategorySelect } from './CategoryDialog.tsx'
import { type Details, reloadRequests } from './fresh.ts'

/** Dialog that splits a report about two issues into two requests. The second request gets its own number. */
export function SplitDialog({ request, onClose }: { request: Details['request']; onClose: () => void }) {
  const { t } = useLingui()
  const { id: subjectId, number } = request
  const form = useZodForm(splitForm, {
    defaultValues: { categoryId: '', description: '' },
    draft: { name: `request-split:${subjectId}` },
  })
  return (
    <FormDialog
      title={t`Split ${number}`}
      form={form}
      submit={<Trans>Create second request</Trans>}
      onSubmit={async (values) => {
        toast((await call(splitRequest, { ...values, subjectId })).message)
        forgetDraft(form)
        await reloadRequests()
      }}
      onClose={onClose}
    >
      <p>
        <Trans>
          The second request will have the same location and requester. The requester will get an email with its number.
        </Trans>
      </p>
      <CategorySelect {...form.choice('categoryId')} />
      <TextArea
        label={t`Second problem`}
        hint={t`This text is visible to the person who submitted the request.`}
        rows={4}
        maxLength={4000}
        {...form.field('description')}
      />
    </FormDialog>
  )
}
