import { Trans, useLingui } from '@lingui/react/macro'
import { call } from '../../../../web/call.ts'
import { useResponse } from '../../../../web/query.ts'
import { Select } from '../../../../web/ui/Choice.tsx'
import { FormDialog } from '../../../../web/ui/FormDialog.tsx'
import { type Bound, forgetDraft, useZodForm } from '../../../../web/ui/form.ts'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { categoryForm, changeCategory, staffCategories } from '../../contract-staff.ts'
import { type Details, reloadRequests } from './fresh.ts'

/**
 * Dropdown of the active categories. Excludes `except`, which is the current category of the request. A draft may set
 * the value before the categories are loaded, so the value comes from the form.
 */
export function CategorySelect({ except, onChange, ...field }: Bound<string> & { except?: number }) {
  const { t } = useLingui()
  const { data } = useResponse(staffCategories, {})
  const offered = data?.categories.filter(({ id, active }) => active && id !== except) ?? []
  return (
    <Select
      label={t`Category`}
      placeholder={t`Choose a category`}
      options={offered.map(({ id, name }) => ({ value: String(id), label: name }))}
      {...field}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

/** Dialog that moves a request to another category. The request then belongs to the department of the new category. */
export function CategoryDialog({ request, onClose }: { request: Details['request']; onClose: () => void }) {
  const { t } = useLingui()
  const { id: subjectId, number, categoryId: from, title } = request
  const form = useZodForm(categoryForm, {
    defaultValues: { categoryId: '' },
    draft: { name: `request-category:${subjectId}` },
  })
  return (
    <FormDialog
      title={t`Change category for ${number}`}
      form={form}
      submit={<Trans>Change category</Trans>}
      onSubmit={async ({ categoryId }) => {
        toast((await call(changeCategory, { subjectId, categoryId, from })).message)
        forgetDraft(form)
        await reloadRequests()
      }}
      onClose={onClose}
    >
      <p>
        <Trans>
          The current category is {title}. The request will go to the new category’s department. The target date will be
          recalculated from the day the request was received.
        </Trans>
      </p>
      <CategorySelect except={from} {...form.choice('categoryId')} />
    </FormDialog>
  )
}
