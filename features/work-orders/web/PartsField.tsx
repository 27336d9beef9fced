import { Trans, useLingui } from '@lingui/react/macro'
import type { FieldValues } from 'react-hook-form'
import type { ZodForm } from '../../../web/ui/form.ts'
import { FieldGroup } from '../../../web/ui/Field.tsx'
import { MoneyField } from '../../../web/ui/MoneyField.tsx'
import { EntryList } from '../../../web/ui/office/EntryList.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { wholeNumber } from '../../../web/ui/whole-number.ts'
import { MAX_PARTS, type PlannedPart } from '../contract.ts'

interface Values {
  parts: PlannedPart[]
}

/** Parts that the crew brings, with quantity and price. */
export function PartsField<In extends FieldValues & Values, Out>(props: { form: ZodForm<In, Out> }) {
  const { t } = useLingui()
  // Cast, because TypeScript cannot resolve the paths of a generic form.
  const form = props.form as unknown as ZodForm<Values, Values>
  return (
    <FieldGroup label={t`Parts to bring`} id="parts" optional>
      <EntryList
        form={form}
        name="parts"
        blank={{ text: '', quantity: 1, unitCents: 0 }}
        max={MAX_PARTS}
        addLabel={<Trans>Add a part</Trans>}
        emptyLabel={null}
        entryName={(at) => form.watch(`parts.${at}.text`) || t`part ${at + 1}`}
      >
        {(path) => {
          const name = path as 'parts.0'
          return (
            <>
              <TextField label={t`Part`} autoComplete="off" {...form.field(`${name}.text`)} />
              <div className="grid grid-cols-2 items-start gap-4">
                <TextField label={t`Quantity`} {...wholeNumber(form.choice(`${name}.quantity`))} />
                <MoneyField label={t`Cost per unit`} {...form.money(`${name}.unitCents`)} />
              </div>
            </>
          )
        }}
      </EntryList>
    </FieldGroup>
  )
}
