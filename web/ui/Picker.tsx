import type { ReactNode } from 'react'
import { Label } from 'react-aria-components/Label'
import { FieldHint, type FieldProps, OptionalMark } from './Field.tsx'
import { Text } from './Text.tsx'

/** Label and hint of a field with a custom list of options. */
export const PickerLabel = ({
  id,
  label,
  hint,
  optional,
}: Pick<FieldProps, 'label' | 'hint' | 'optional'> & { id: string }) => (
  <>
    <Label className="font-bold text-sm">
      <Text>{label}</Text>
      {optional && <OptionalMark />}
    </Label>
    {hint && <FieldHint id={id}>{hint}</FieldHint>}
  </>
)

/** Message in a list without options. */
export const NothingToPick = ({ children }: { children: ReactNode }) => (
  <p className="px-3 py-2 text-muted text-sm">{children}</p>
)

/** CSS classes of an option in a list. */
export const optionClasses =
  'flex cursor-pointer items-center gap-2 border-transparent border-s-4 px-2.5 outline-none forced-colors:border-[Canvas] ' +
  'data-focused:border-link data-focused:bg-tint-2 data-focused:forced-colors:border-[Highlight] data-hovered:bg-tint data-selected:font-bold'
