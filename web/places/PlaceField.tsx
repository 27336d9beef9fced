import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MapPin, X } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react'
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components/ComboBox'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import {
  findAddresses,
  findNearest,
  type AddressMatch,
  type FoundAddress,
  noPlace,
  type PlaceValue,
  type Point,
} from '../../shared/places.ts'
import { call, messageOf } from '../call.ts'
import { keyOf, queries } from '../query.ts'
import { useBeforeSubmit } from '../ui/before-submit.ts'
import { Button } from '../ui/Button.tsx'
import { NothingToPick, optionClasses, PickerLabel } from '../ui/Picker.tsx'
import { cx } from '../ui/cx.ts'
import { useOverlay } from '../ui/Dialog.tsx'
import { controlClasses, FieldError, type FieldProps } from '../ui/Field.tsx'
import { CompanyMap } from './TownMap.tsx'

export interface PlaceFieldProps extends Omit<FieldProps, 'hideLabel'> {
  value: PlaceValue
  onChange: (value: PlaceValue) => void
  name?: string
  disabled?: boolean
}

/** Pause in typing before a request, in milliseconds. */
const TYPING_MS = 200
const MIN_LENGTH = 2
/** Distance in meters within which the pin means the house. */
const AT_THE_DOOR_METRES = 12
const OWN = 'own'

const addressPlace = ({ id, text, lat, lon, metres }: FoundAddress): PlaceValue => ({
  text,
  addressId: id,
  lat,
  lon,
  metres,
})

/**
 * React Aria hides the page from screen readers while its list is open, though Tab still reaches it. This attribute
 * prevents that.
 */
function keepPageReadable(isOpen: boolean): void {
  for (const part of document.body.children) part.toggleAttribute('data-react-aria-top-layer', isOpen)
}

/**
 * Field for a location: chosen from the company's addresses, saved as typed if it is not among them, or set on the map.
 * Spread `form.choice('place')` into it.
 */
export function PlaceField(props: PlaceFieldProps) {
  const { label, hint, error, optional, className, value, onChange, name, disabled = false } = props
  const { t } = useLingui()
  const id = useId()
  const overlay = useOverlay()
  // The list is rendered in the page's main part, where the field is.
  const container = overlay?.current ?? document.querySelector('main')
  const [mapOpen, setMapOpen] = useState(false)
  // True after the person left the field. A complete typed address then counts as chosen.
  const [hasLeft, setLeft] = useState(false)
  const [trouble, setTrouble] = useState('')
  // The list also reports its own text change after a choice. That report must not clear the choice.
  const latest = useRef(value)
  // Text from a pin, which another pin may replace.
  const ofPin = useRef('')
  useEffect(() => {
    latest.current = value
  }, [value])
  const change = (next: PlaceValue) => {
    latest.current = next
    setTrouble('')
    onChange(next)
  }
  const { found, settled, failed } = useFound(value)
  const chosen = value.addressId !== null && !found.some((one) => one.id === value.addressId)
  const rows = [
    ...(chosen ? [{ id: value.addressId ?? 0, text: value.text }] : []),
    ...found.map((one) => ({ id: one.id, text: one.text })),
  ]
  // Offered only after the list has loaded.
  const items = settled && value.text.trim() !== '' ? [...rows, { id: OWN, text: value.text }] : rows
  const choose = (key: string | number | null) => {
    const address = found.find((one) => one.id === key)
    if (address) change(addressPlace(address))
    else if (key === OWN)
      change({ ...value, addressId: null, asTyped: true, ...(value.addressId !== null && noPlaceOnMap) })
  }
  const type = (text: string) => {
    if (text !== latest.current.text) change({ ...noPlace, text })
  }
  const isOpen = ({ text, addressId, lat, asTyped }: PlaceValue) =>
    text.trim() !== '' && addressId === null && lat === null && !asTyped
  /** `all` is null if the search has no answer yet. */
  const take = (all: readonly AddressMatch[] | null, hasFailed: boolean) => {
    if (!isOpen(latest.current)) return
    const meant = all?.find(({ isMeant }) => isMeant)
    if (meant) change(addressPlace(meant))
    else if (hasFailed || all?.length === 0) change({ ...latest.current, asTyped: true })
  }
  const settle = useEffectEvent(() => take(settled ? found : null, failed))
  useEffect(() => {
    if (hasLeft) settle()
  }, [hasLeft, settled, failed])
  // Looks the address up if the press comes before the search.
  useBeforeSubmit(async () => {
    const typed = latest.current
    const search = typed.text.trim()
    if (!isOpen(typed) || search.length < MIN_LENGTH || disabled) return
    const all = await call(findAddresses, { search }).then(
      (answer) => answer.found,
      () => null,
    )
    if (latest.current.text === typed.text) take(all, all === null)
  })
  const putPin = async (at: Point) => {
    const typed = latest.current
    const words = typed.addressId === null && typed.text !== ofPin.current ? typed.text : ''
    change({ ...noPlace, text: words, lat: at.lat, lon: at.lon })
    try {
      const { metres, nearest } = await call(findNearest, at)
      // If the person typed or moved the pin since, that newer input wins.
      if (latest.current.lat !== at.lat || latest.current.lon !== at.lon) return
      if (!metres) {
        change({ ...noPlace, text: words })
        return setTrouble(t`The pin is too far away from the town. Put it on the town's map.`)
      }
      if (nearest && words === '' && nearest.away <= AT_THE_DOOR_METRES) return change(addressPlace(nearest))
      ofPin.current = nearest ? t`Near ${nearest.text}` : t`At the pin on the map`
      const text = words || ofPin.current
      change({ text, addressId: null, lat: at.lat, lon: at.lon, metres })
    } catch (failure) {
      setTrouble(messageOf(failure))
    }
  }
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
            <ListBox
              items={items}
              aria-label={t`Addresses`}
              className="focus-inside max-h-80 overflow-y-auto"
              renderEmptyState={() => (
                <NothingToPick>
                  {value.text.trim().length < MIN_LENGTH ? (
                    <Trans>Type a house number and a street</Trans>
                  ) : (
                    <Trans>Looking for the address</Trans>
                  )}
                </NothingToPick>
              )}
            >
              {(item: (typeof items)[number]) => (
                <ListBoxItem
                  id={item.id}
                  textValue={item.text}
                  className={cx(
                    optionClasses,
                    'min-h-10 py-1.5',
                    item.id === OWN && 'border-t border-t-line text-link',
                  )}
                >
                  <span className="wrap-anywhere">
                    {item.id === OWN ? <Trans>My address is not in the list</Trans> : item.text}
                  </span>
                </ListBoxItem>
              )}
            </ListBox>
          </Popover>
        </ComboBox>
      </I18nProvider>
      <FieldError id={id}>{problem}</FieldError>
      <LocationStatus id={`${id}-status`} value={value} failed={failed} />
      <div className="flex flex-wrap gap-2">
        <Button
          look="quiet"
          size="small"
          icon={MapPin}
          aria-expanded={mapOpen}
          disabled={disabled}
          onClick={() => setMapOpen(!mapOpen)}
        >
          {mapOpen ? <Trans>Hide the map</Trans> : <Trans>Show on the map</Trans>}
        </Button>
        {value.addressId === null && value.lat !== null && (
          <Button
            look="quiet"
            size="small"
            icon={X}
            disabled={disabled}
            onClick={() => change({ ...noPlace, text: value.text })}
          >
            <Trans>Remove the pin</Trans>
          </Button>
        )}
      </div>
      {mapOpen && (
        <CompanyMap
          label={t`Map of the town, to put a pin`}
          pin={pin}
          {...(!disabled && { onPin: (at: Point) => void putPin(at) })}
        />
      )}
    </div>
  )
}

const noPlaceOnMap = { lat: null, lon: null, metres: null }

function useFound({ text, addressId }: PlaceValue) {
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  const enabled = search.length >= MIN_LENGTH && addressId === null
  const { data, isError, isFetching } = useQuery(
    {
      queryKey: keyOf(findAddresses, { search }),
      queryFn: ({ signal }) => call(findAddresses, { search }, { signal }),
      placeholderData: keepPreviousData,
      enabled,
    },
    queries,
  )
  const found = search.length >= MIN_LENGTH ? (data?.found ?? []) : []
  return { found, settled: enabled && !isFetching && search === text.trim(), failed: enabled && isError }
}

/**
 * Description of the known location. Its space is reserved, because the text appears when the field is left, and a
 * pressed button must not move.
 */
function LocationStatus({ id, value, failed }: { id: string; value: PlaceValue; failed: boolean }) {
  const { t } = useLingui()
  const sentences = {
    failed: t`Addresses could not be looked up. What you typed counts.`,
    address: t`This is an address of the town.`,
    pin: t`A pin on the map shows the place.`,
    typed: t`Not an address that the town knows: kept as you typed it.`,
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
