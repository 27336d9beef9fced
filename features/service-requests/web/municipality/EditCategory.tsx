import { Trans, useLingui } from '@lingui/react/macro'
import type * as z from 'zod/mini'
import type { RowOf } from '../../../../shared/list.ts'
import { call } from '../../../../web/call.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { Checkbox, Select } from '../../../../web/ui/Choice.tsx'
import type { ZodForm } from '../../../../web/ui/form.ts'
import { TextArea, TextField } from '../../../../web/ui/TextField.tsx'
import { categoryChoices, categoryForm, saveCategory } from '../../contract-settings.ts'
import { type requestCategories as list, requestCategories } from '../../list-categories.ts'
import { wholeNumber } from '../../../../web/ui/whole-number.ts'
import { EditSlideOut } from '../../../../web/ui/EditSlideOut.tsx'

interface Props {
  /** Null for a new category. */
  category: RowOf<typeof list> | null
  onClose: () => void
}

const fresh = {
  name: '',
  hint: '',
  sortNo: 100,
  active: true,
  departmentId: null,
  targetDays: 5,
  escalateTo: null,
  crewId: null,
  forGuests: true,
  needsLocation: true,
  onMap: true,
}

/** Slide-out to add or change a category. Existing requests keep their category name and due date. */
export function EditCategory({ category, onClose }: Props) {
  const basis = category && {
    name: category.name,
    hint: category.hint,
    sortNo: category.sortNo,
    active: category.active === 1,
    departmentId: category.departmentId,
    targetDays: category.targetDays,
    escalateTo: category.escalateTo,
    crewId: category.crewId,
    forGuests: category.forGuests,
    needsLocation: category.needsLocation,
    onMap: category.onMap,
  }
  return (
    <EditSlideOut
      title={category ? category.name : <Trans>Add category</Trans>}
      rules={categoryForm}
      start={basis ?? fresh}
      isNew={basis === null}
      draft={`request-category:${category?.id ?? 'new'}`}
      onSave={(values, from) => call(saveCategory, { ...values, categoryId: category?.id ?? null, basis: from })}
      refresh={() => reload(requestCategories.call)}
      onClose={onClose}
    >
      {(form) => <Inputs form={form} />}
    </EditSlideOut>
  )
}

function Inputs({ form }: { form: ZodForm<z.input<typeof categoryForm>, z.output<typeof categoryForm>> }) {
  const { t } = useLingui()
  const { data } = useResponse(categoryChoices, {})
  const chosen = (
    name: 'departmentId' | 'escalateTo' | 'crewId',
    none: string,
    among: { id: number; name: string }[] = [],
  ) => {
    const { value, onChange, ...bound } = form.choice(name)
    return {
      ...bound,
      value: value ?? '',
      onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
      options: [{ value: '', label: none }, ...among.map((one) => ({ value: one.id, label: one.name }))],
    }
  }
  return (
    <>
      <TextField
        label={t`Name`}
        hint={t`Use a word that residents know, for example: Pothole.`}
        maxLength={80}
        {...form.field('name')}
      />
      <TextArea
        label={t`Hint`}
        optional
        hint={t`Shown below the category after a resident chooses it. For example, explain when to call instead or who is responsible.`}
        rows={2}
        maxLength={300}
        {...form.field('hint')}
      />
      <Select
        label={t`Department`}
        hint={t`New requests go to this department.`}
        {...chosen('departmentId', t`None`, data?.departments)}
      />
      <Select
        label={t`Crew`}
        hint={t`Work orders from these requests go to this crew.`}
        {...chosen('crewId', t`None`, data?.crews)}
      />
      <TextField
        label={t`Target business days`}
        hint={t`Enter the target number of business days to complete a request. Business days and holidays are in the request settings.`}
        className="max-w-60"
        {...wholeNumber(form.choice('targetDays'))}
      />
      <Select
        label={t`Overdue notifications go to`}
        hint={t`The person chosen here is notified in addition to the assigned person or department.`}
        {...chosen('escalateTo', t`No one else`, data?.people)}
      />
      <TextField
        label={t`Sort order`}
        hint={t`Residents see the categories in this order, lowest number first.`}
        className="max-w-60"
        {...wholeNumber(form.choice('sortNo'))}
      />
      <Checkbox label={t`In use`} {...form.field('active')} />
      <Checkbox label={t`Allow guests to report this problem without an account`} {...form.field('forGuests')} />
      <Checkbox label={t`Location required`} {...form.field('needsLocation')} />
      <Checkbox
        label={t`Show reports to the public`}
        hint={t`Shown on the public map and list, and to people who report the same problem nearby. Names and messages are hidden. Leave this off for complaints about people.`}
        {...form.field('onMap')}
      />
    </>
  )
}
