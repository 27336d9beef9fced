import { Trans, useLingui } from '@lingui/react/macro'
import type { FieldBinding } from '../ui/form.ts'
import { PhoneField } from '../ui/PhoneField.tsx'
import { TextField } from '../ui/TextField.tsx'

interface ContactFieldsProps {
  field: (name: 'name' | 'email' | 'phone') => FieldBinding
  /** Hint that describes which messages are sent by email. */
  mailed: string
}

/** Name and contact fields of the writer: `contactFields` of shared/cases.ts. */
export function ContactFields({ field, mailed }: ContactFieldsProps) {
  const { t } = useLingui()
  return (
    <>
      <TextField label={t`Name`} autoComplete="name" {...field('name')} />
      <TextField
        label={t`Email`}
        type="email"
        autoComplete="email"
        spellCheck={false}
        hint={mailed}
        {...field('email')}
      />
      <PhoneField hint={t`If you do not enter an email address, we will call you.`} {...field('phone')} />
    </>
  )
}

/**
 * Hidden field that detects bots, because they fill in every field. People cannot see the field, hear it, or reach it
 * with the Tab key.
 */
export const LeaveEmpty = ({ field }: { field: FieldBinding }) => {
  const { error: _error, ...input } = field
  return (
    <div aria-hidden className="spoken">
      <label>
        <Trans>Leave this field empty</Trans>
        <input type="text" tabIndex={-1} autoComplete="off" {...input} />
      </label>
    </div>
  )
}
