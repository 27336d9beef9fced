import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { noLocation } from '../../../../shared/places.ts'
import { MyLocation } from '../../../../web/places/MyLocation.tsx'
import { LocationField } from '../../../../web/places/LocationField.tsx'
import { useQueryParam } from '../../../../web/routes.tsx'
import { StepButtons, StepCard } from '../../../../web/cases/SendingSteps.tsx'
import { Select } from '../../../../web/ui/Choice.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { LOCATION_REQUIRED, whereForm } from '../../contract.ts'
import { type Choices, WHERE_DRAFT, type LocationForm } from './steps.ts'

/** Builds the form's validation. The category decides whether a location is required. */
const placedForm = (categories: Choices['categories']) =>
  whereForm.check(
    z.refine(
      ({ categoryId, location }) =>
        location.text !== '' ||
        location.lat !== null ||
        categories.find(({ id }) => id === categoryId)?.needsLocation === false,
      { error: LOCATION_REQUIRED, path: ['location'] },
    ),
  )

interface Props {
  choices: Choices
  moved: boolean
  onWhere: (where: LocationForm) => Promise<void>
}

/** Step for the category and the location. The requester types an address or picks a point on the map. */
export function WhereStep({ choices: { categories }, moved, onWhere }: Props) {
  const { t } = useLingui()
  // A link or QR code can preselect a category, for example `/communication/new?category=3`.
  const [named] = useState(useQueryParam('category'))
  const rules = useMemo(() => placedForm(categories), [categories])
  const isValid = categories.some(({ id }) => String(id) === named)
  const form = useZodForm(rules, {
    defaultValues: { categoryId: (isValid ? named : '') as string, location: noLocation },
    draft: { name: WHERE_DRAFT },
  })
  const chosen = categories.find(({ id }) => String(id) === String(form.watch('categoryId')))
  const locationField = form.choice('location')
  return (
    <StepCard title={<Trans>Topic and location</Trans>} moved={moved}>
      <Form form={form} keepDraft draftIsMarked onSubmit={onWhere}>
        <Select
          label={t`What kind of problem is it?`}
          placeholder={t`Choose one`}
          options={categories.map(({ id, name }) => ({ value: String(id), label: name }))}
          {...form.field('categoryId')}
          {...(isValid && { defaultValue: named ?? '' })}
        />
        {chosen?.hint && <p className="-mt-2 text-muted text-sm">{chosen.hint}</p>}
        <LocationField
          {...locationField}
          label={t`Where is the problem?`}
          hint={t`Enter an address, an intersection or a landmark. You do not have to use the map.`}
          optional={chosen?.needsLocation === false}
        />
        <MyLocation onChange={locationField.onChange} />
        <StepButtons form={form} />
      </Form>
    </StepCard>
  )
}
