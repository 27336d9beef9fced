import { Trans, useLingui } from '@lingui/react/macro'
import { MapPin, X } from 'lucide-react'
import { useEffect, useId, useMemo, useState } from 'react'
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components/ComboBox'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import type { LocationValue, Point } from '../../shared/places.ts'
import { Button } from '../ui/Button.tsx'
import { NothingToPick, optionClasses, PickerLabel } from '../ui/Picker.tsx'
import { cx } from '../ui/cx.ts'
import { useOverlay } from '../ui/Dialog.tsx'
import { controlClasses, FieldError, type FieldProps } from '../ui/Field.tsx'
import { CompanyMap } from './CompanyMap.tsx'
import { useLocation, OWN, type LocationItem, MIN_LENGTH } from './use-location.ts'

export interface LocationFieldProps extends Omit<FieldProps, 'hideLabel'> {
  value: LocationValue
  onChange: (value: LocationValue) => void
  name?: string
  disabled?: boolean
}

/**
 * Keeps the page readable for screen readers while the list is open. Without this attribute, React Aria hides the page,
 * although Tab still reaches it.
 */
function keepPageReadable(isOpen: boolean): void {
  for (const part of document.body.children) part.toggleAttribute('data-react-aria-top-layer', isOpen)
}

/**
 * Field for a location. The person chooses a known address, keeps the typed text, or sets a pin. Spread
 * `form.choice('location')` into its props.
 */
export function LocationField(props: LocationFieldProps) {
  const { label, hint, error, optional, className, value, onChange, name, disabled = false } = props
  const { t } = useLingui()
  const id = useId()
  const overlay = useOverlay()
  // Renders the list inside the dialog or main part that contains the field.
  const container = overlay?.current ?? globalThis.document?.querySelector('main')
  const [mapOpen, setMapOpen] = useState(false)
  const { items, failed, trouble, choose, type, setLeft, putPin, removePin } = useLocation(value, onChange, disabled)
  useEffect(() => () => keepPageReadable(false), [])
  const { lat, lon } = value
  const pin = useMemo(() => (lat === null || lon === null ? null : { lat, lon }), [lat, lon])
  const problem = error ?? (trouble || undefined)
  const describedBy = [hint && `${id}-hint`, problem && `${id}-error`, `${id}-status`].filter(Boolean).join(' ')
  return (
    <div className={cx('flex min-w-0 flex-col gap-1', className)}>
      <I18nProvider locale="en-US">
        <ComboBox
          items={items}
          inputValue={value.text}
          onInputChange={type}
          value={value.asTyped ? OWN : value.addressId}
          onFocusChange={(isFocused) => setLeft(!isFocused)}
          onChange={choose}
          allowsCustomValue
          allowsEmptyCollection
          onOpenChange={keepPageReadable}
          isDisabled={disabled}
          isInvalid={Boolean(problem)}
          {...(name && { name })}
          className="flex min-w-0 flex-col gap-1"
        >
          <PickerLabel id={id} label={label} hint={hint} optional={optional ?? false} />
          <Input
            className={controlClasses(problem)}
            aria-describedby={describedBy}
            {...(problem && { 'data-error': `${id}-error` })}
            autoComplete="off"
            maxLength={200}
            spellCheck={false}
          />
          <Popover
            {...(container && { UNSTABLE_portalContainer: container })}
            className="w-(--trigger-width) overflow-y-auto rounded-sm border border-line bg-surface shadow-overlay"
          >
            <AddressList items={items} search={value.text} />
          </Popover>
        </ComboBox>
      </I18nProvider>
      <FieldError id={id}>{problem}</FieldError>
      <LocationStatus id={`${id}-status`} value={value} failed={failed} />
      <div className="flex flex-wrap gap-2">
        <Button
          variant="quiet"
          size="small"
          icon={MapPin}
          aria-expanded={mapOpen}
          disabled={disabled}
          onClick={() => setMapOpen(!mapOpen)}
        >
          {mapOpen ? <Trans>Hide the map</Trans> : <Trans>Show on the map</Trans>}
        </Button>
        {value.addressId === null && value.lat !== null && (
          <Button variant="quiet" size="small" icon={X} disabled={disabled} onClick={removePin}>
            <Trans>Remove the pin</Trans>
          </Button>
        )}
      </div>
      {mapOpen && (
        <CompanyMap
          label={t`Map for placing a pin`}
          pin={pin}
          {...(!disabled && { onPin: (at: Point) => void putPin(at) })}
        />
      )}
    </div>
  )
}

function AddressList({ items, search }: { items: readonly LocationItem[]; search: string }) {
  const { t } = useLingui()
  return (
    <ListBox
      items={items}
      aria-label={t`Addresses`}
      className="focus-inside max-h-80 overflow-y-auto"
      renderEmptyState={() => (
        <NothingToPick>
          {search.trim().length < MIN_LENGTH ? (
            <Trans>Enter a house number and a street</Trans>
          ) : (
            <Trans>Looking for the address</Trans>
          )}
        </NothingToPick>
      )}
    >
      {(item: LocationItem) => (
        <ListBoxItem
          id={item.id}
          textValue={item.text}
          className={cx(optionClasses, 'min-h-10 py-1.5', item.id === OWN && 'border-t border-t-line text-link')}
        >
          <span className="wrap-anywhere">
            {item.id === OWN ? <Trans>My address is not in the list</Trans> : item.text}
          </span>
        </ListBoxItem>
      )}
    </ListBox>
  )
}

/**
 * Status of the location. Its space is reserved, because the text appears when the person leaves the field. A button
 * below must not move while it is pressed.
 */
function LocationStatus({ id, value, failed }: { id: string; value: LocationValue; failed: boolean }) {
  const { t } = useLingui()
  const sentences = {
    failed: t`We could not look up addresses. We will keep the address that you entered.`,
    address: t`We found this address.`,
    pin: t`The pin on the map marks the location.`,
    typed: t`We could not find this address. We will keep the address that you entered.`,
  }
  const statusKey = failed
    ? 'failed'
    : value.addressId !== null
      ? 'address'
      : value.lat !== null
        ? 'pin'
        : value.asTyped
          ? 'typed'
          : null
  return (
    <div className="grid text-muted text-sm *:[grid-area:1/1]">
      {Object.values(sentences).map((message) => (
        <span key={message} aria-hidden data-room={message} className="invisible before:content-[attr(data-room)]" />
      ))}
      <p id={id} role="status">
        {statusKey && sentences[statusKey]}
      </p>
    </div>
  )
}
