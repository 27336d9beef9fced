import { useLingui } from '@lingui/react/macro'
import { translated } from '../../shared/words.ts'
import { Select } from '../ui/Choice.tsx'

interface StatusFieldProps {
  of: { names: readonly number[]; labels: Record<number, string> }
  value: string
  onChange: (value: string) => void
  /** What stands apart from the states. */
  besides?: readonly { value: string; label: string }[]
}

/** In which states the cases of a list are. What is open stands first: it is what such a list begins with. */
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
