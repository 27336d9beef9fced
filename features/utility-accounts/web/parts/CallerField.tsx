import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useId, useState } from 'react'
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components/ComboBox'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { formatPhone } from '../../../../shared/phone.ts'
import { messageOf } from '../../../../web/call.ts'
import { useResponse } from '../../../../web/query.ts'
import { cx } from '../../../../web/ui/cx.ts'
import { useOverlay } from '../../../../web/ui/Dialog.tsx'
import { controlClasses, FieldError } from '../../../../web/ui/Field.tsx'
import { NothingToPick, optionClasses, PickerLabel } from '../../../../web/ui/Picker.tsx'
import { CALLER_MIN, type Caller, findCallers } from '../../contract-callers.ts'

/** Delay after the last keystroke before a search, in milliseconds. */
const TYPING_MS = 200

interface CallerFieldProps {
  value: string
  onChange: (text: string) => void
  onChoose: (caller: Caller) => void
}

/** Finds a resident or a utility customer by phone, name, address or account. */
export function CallerField({ value, onChange, onChoose }: CallerFieldProps) {
  const { t } = useLingui()
  const id = useId()
  const overlay = useOverlay()
  // The name of the chosen caller fills the field and starts no new search.
  const [chosen, setChosen] = useState('')
  const { callers, isFinished, problem } = useCallers(value === chosen ? '' : value)
  const choose = (key: string | number | null) => {
    const caller = callers.find((one) => one.key === key)
    if (!caller) return
    setChosen(caller.name)
    onChoose(caller)
  }
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <I18nProvider locale="en-US">
        <ComboBox
          items={callers}
          inputValue={value}
          onInputChange={onChange}
          onSelectionChange={choose}
          allowsCustomValue
          allowsEmptyCollection
          isInvalid={problem !== ''}
          className="flex min-w-0 flex-col gap-1"
        >
          <PickerLabel
            id={id}
            label={t`Find the caller`}
            hint={t`Phone, name, address or account. If the caller is not in the list, enter the details below.`}
            optional
          />
          <Input
            className={controlClasses(problem || undefined)}
            aria-describedby={problem ? `${id}-hint ${id}-error` : `${id}-hint`}
            autoComplete="off"
            maxLength={100}
            spellCheck={false}
          />
          <Popover
            {...(overlay?.current && { UNSTABLE_portalContainer: overlay.current })}
            className="w-(--trigger-width) overflow-y-auto rounded-sm border border-line bg-surface shadow-overlay"
          >
            <ListBox
              items={callers}
              aria-label={t`Callers`}
              className="focus-inside max-h-80 overflow-y-auto"
              renderEmptyState={() => (
                <NothingToPick>
                  {value.trim().length < CALLER_MIN ? (
                    <Trans>Enter at least {CALLER_MIN} characters</Trans>
                  ) : isFinished ? (
                    <Trans>No resident or customer matches. Enter the details below.</Trans>
                  ) : (
                    <Trans>Looking for the caller</Trans>
                  )}
                </NothingToPick>
              )}
            >
              {(caller: Caller) => (
                <ListBoxItem
                  id={caller.key}
                  textValue={caller.name}
                  className={cx(optionClasses, 'min-h-10 flex-col items-start! gap-0! py-1.5')}
                >
                  <strong className="wrap-anywhere">{caller.name}</strong>
                  <span className="text-muted text-sm wrap-anywhere">{detailsOf(caller)}</span>
                </ListBoxItem>
              )}
            </ListBox>
          </Popover>
        </ComboBox>
      </I18nProvider>
      <FieldError id={id}>{problem || undefined}</FieldError>
    </div>
  )
}

const detailsOf = ({ address, phone, email, accountNumber }: Caller): string =>
  [address, phone && formatPhone(phone), email, accountNumber].filter(Boolean).join(' · ')

function useCallers(text: string) {
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  const enabled = search.length >= CALLER_MIN
  const { data, error, isFetching } = useResponse(findCallers, { search }, { enabled, keepPrevious: true })
  return {
    callers: enabled ? (data?.callers ?? []) : [],
    isFinished: enabled && !isFetching && search === text.trim(),
    problem: enabled && error ? messageOf(error) : '',
  }
}
