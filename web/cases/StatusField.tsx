import { useLingui } from '@lingui/react/macro'
import { translated } from '../../shared/messages.ts'
import { Select } from '../ui/Choice.tsx'

interface StatusFieldProps {
  of: { names: readonly number[]; labels: Record<number, string> }
  value: string
  onChange: (value: string) => void
  /** Options in addition to the states. */
  besides?: readonly { value: string; label: string }[]
}

/** Filter of a list by case state. Open states are first, since the list starts with them. */
export function StatusField({ of, value, onChange, besides = [] }: StatusFieldProps) {
  const { t } = useLingui()
  return (
    <Select
      className="md:w-40"
      label={t`Status`}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[
        { value: 'open', label: t`Open` },
        { value: '', label: t`All statuses` },
        ...of.names.map((state) => ({ value: String(state), label: translated(of.labels[state] ?? '') })),
        ...besides,
      ]}
    />
  )
}
