import { Trans, useLingui } from '@lingui/react/macro'
import { Check, ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Input, SearchField } from 'react-aria-components/SearchField'
import { Button, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components/Select'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { NothingToPick, optionClasses, PickerLabel } from '../Picker.tsx'
import { cx } from '../cx.ts'
import type { Option } from '../Choice.tsx'
import { useOverlay } from '../Dialog.tsx'
import { controlClasses, FieldError, type FieldProps } from '../Field.tsx'
import { Text } from '../Text.tsx'

export interface SelectWithSearchProps<Value extends string | number> extends Omit<FieldProps, 'hideLabel'> {
  options: readonly Option<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  placeholder?: string
  name?: string
  disabled?: boolean
}

const ROW_PX = 36

/** Select for hundreds of options. Typing filters the list. */
export function SelectWithSearch<Value extends string | number>(props: SelectWithSearchProps<Value>) {
  const { label, hint, error, optional, className, options, value, onChange, placeholder, name, disabled } = props
  const { t } = useLingui()
  const id = useId()
  const overlay = useOverlay()
  const { contains } = useFilter({ sensitivity: 'base' })
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <I18nProvider locale="en-US">
      <Select
        value={value}
        onChange={(key) => key !== null && onChange(key as Value)}
        placeholder={placeholder ?? t`Choose one`}
        isInvalid={Boolean(error)}
        isDisabled={disabled ?? false}
        {...(name && { name })}
        className={cx('field flex min-w-0 flex-col gap-1', className)}
      >
        <PickerLabel id={id} label={label} hint={hint} optional={optional ?? false} />
        <Button
          aria-describedby={describedBy || undefined}
          {...(error && { 'data-error': `${id}-error` })}
          className={cx(controlClasses(error), 'flex items-center justify-between gap-2 text-start')}
        >
          <SelectValue className="truncate data-placeholder:text-muted">
            {({ defaultChildren }) => <Text>{defaultChildren}</Text>}
          </SelectValue>
          <ChevronDown size={18} aria-hidden className="shrink-0 text-muted" />
        </Button>
        <FieldError id={id}>{error}</FieldError>
        <Popover
          {...(overlay?.current && { UNSTABLE_portalContainer: overlay.current })}
          className="flex max-h-88! w-(--trigger-width) min-w-60 flex-col rounded-sm border border-line bg-surface shadow-overlay"
        >
          <Autocomplete filter={contains}>
            {/* Screen readers announce the search field and its list as a combobox, so both behave like a combobox. */}
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- people open the list to type in this field */}
            <SearchField type="text" aria-label={t`Search the list`} autoFocus className="p-1.5">
              {/* oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- Autocomplete adds aria-controls */}
              <Input role="combobox" aria-expanded className={controlClasses()} />
            </SearchField>
            <Virtualizer layout={ListLayout} layoutOptions={{ rowSize: ROW_PX }}>
              <ListBox
                items={options}
                className="focus-inside max-h-72 min-h-9 flex-1 overflow-y-auto"
                renderEmptyState={() => (
                  <NothingToPick>
                    <Trans>No matches</Trans>
                  </NothingToPick>
                )}
              >
                {(option: Option<Value>) => (
                  <ListBoxItem
                    id={option.value}
                    textValue={option.label}
                    className={cx(optionClasses, 'h-9 justify-between')}
                  >
                    {({ isSelected }) => (
                      <>
                        <span className="truncate">{option.label}</span>
                        {isSelected && <Check size={16} aria-hidden className="shrink-0 text-link" />}
                      </>
                    )}
                  </ListBoxItem>
                )}
              </ListBox>
            </Virtualizer>
          </Autocomplete>
        </Popover>
      </Select>
    </I18nProvider>
  )
}
