import { Trans, useLingui } from '@lingui/react/macro'
import type { FieldBinding } from '../ui/form.ts'
import { PhoneField } from '../ui/PhoneField.tsx'
import { TextField } from '../ui/TextField.tsx'

interface ContactFieldsProps {
  field: (name: 'name' | 'email' | 'phone') => FieldBinding
  /** What comes by mail. */
  mailed: string
}

/** Who writes, and how they are reached: `contactFields` of shared/cases.ts. */
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
      <PhoneField hint={t`If you have no email, we call you.`} {...field('phone')} />
    </>
  )
}

/** Machines fill in everything. Nobody sees it, hears it or gets there by the Tab key. */
export const LeaveEmpty = ({ field }: { field: FieldBinding }) => {
  const { error: _error, ...input } = field
  return (
    <div aria-hidden className="spoken">
      <label>
        <Trans>Leave this empty</Trans>
        <input type="text" tabIndex={-1} autoComplete="off" {...input} />
      </label>
    </div>
  )
}
