import { useState, useRef, useEffect, type RefObject, useEffectEvent } from 'react'
import { useLingui } from '@lingui/react/macro'
import { useQuery, keepPreviousData } from '@tanstack/react-query'
import {
  type AddressResult,
  type LocationValue,
  noLocation,
  type AddressMatch,
  findAddresses,
  type Point,
  findNearest,
} from '../../shared/places.ts'
import { useBeforeSubmit } from '../ui/before-submit.ts'
import { call, messageOf } from '../call.ts'
import { keyOf, queries } from '../query.ts'

/** Delay after the last keystroke before a request, in milliseconds. */
const TYPING_MS = 200
export const MIN_LENGTH = 2
/** Maximum distance from the pin to a house, in meters. Within this distance, the field gets the house's address. */
const AT_ENTRANCE_METRES = 12
/** Key of the list item that keeps the typed text instead of an address. */
export const OWN = 'own'

export interface LocationItem {
  id: number | typeof OWN
  text: string
}

const locationOfAddress = ({ id, text, lat, lon, metres }: AddressResult): LocationValue => ({
  text,
  addressId: id,
  lat,
  lon,
  metres,
})

const noCoordinates = { lat: null, lon: null, metres: null }

/**
 * Manages the value of a location field. The person types and chooses an address, keeps the typed text, or sets a pin.
 */
export function useLocation(value: LocationValue, onChange: (value: LocationValue) => void, disabled: boolean) {
  const [trouble, setTrouble] = useState('')
  // After a choice, the list reports its changed text as typed. This report must not clear the choice.
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  }, [value])
  const change = (next: LocationValue) => {
    latest.current = next
    setTrouble('')
    onChange(next)
  }
  const { matches, isFinished, failed } = useAddressSearch(value)
  const chosen = value.addressId !== null && !matches.some((one) => one.id === value.addressId)
  const rows = [
    ...(chosen ? [{ id: value.addressId ?? 0, text: value.text }] : []),
    ...matches.map((one) => ({ id: one.id, text: one.text })),
  ]
  // Offers to keep the typed text, but only after the list has loaded.
  const items: readonly LocationItem[] =
    isFinished && value.text.trim() !== '' ? [...rows, { id: OWN, text: value.text }] : rows
  const choose = (key: string | number | null) => {
    const address = matches.find((one) => one.id === key)
    if (address) change(locationOfAddress(address))
    else if (key === OWN)
      change({ ...value, addressId: null, asTyped: true, ...(value.addressId !== null && noCoordinates) })
  }
  const type = (text: string) => {
    if (text !== latest.current.text) change({ ...noLocation, text })
  }
  const field: LocationRef = { latest, change }
  const setLeft = useTypedAddress(field, { matches, isFinished, failed, disabled })
  const putPin = usePin(field, setTrouble)
  const removePin = () => change({ ...noLocation, text: value.text })
  return { items, failed, trouble, choose, type, setLeft, putPin, removePin }
}

interface LocationRef {
  latest: RefObject<LocationValue>
  change: (next: LocationValue) => void
}

/** True if the text has no address and no pin, and the person has not decided to keep it as typed. */
const isOpen = ({ text, addressId, lat, asTyped }: LocationValue) =>
  text.trim() !== '' && addressId === null && lat === null && !asTyped

interface SearchState extends ReturnType<typeof useAddressSearch> {
  disabled: boolean
}

/**
 * Chooses the address that matches the typed text when the person leaves the field or sends the form. Returns a
 * function that records whether the person has left the field.
 */
function useTypedAddress({ latest, change }: LocationRef, { matches, isFinished, failed, disabled }: SearchState) {
  const [hasLeft, setLeft] = useState(false)
  /** Applies the search result. `all` is null if the search has no result yet or failed. */
  const take = (all: readonly AddressMatch[] | null, hasFailed: boolean) => {
    if (!isOpen(latest.current)) return
    const meant = all?.find(({ isMeant }) => isMeant)
    if (meant) change(locationOfAddress(meant))
    else if (hasFailed || all?.length === 0) change({ ...latest.current, asTyped: true })
  }
  const takeResult = useEffectEvent(() => take(isFinished ? matches : null, failed))
  useEffect(() => {
    if (hasLeft) takeResult()
  }, [hasLeft, isFinished, failed])
  // Looks up the address if the person submits the form before the search has finished.
  useBeforeSubmit(async () => {
    const typed = latest.current
    const search = typed.text.trim()
    if (!isOpen(typed) || search.length < MIN_LENGTH || disabled) return
    const all = await call(findAddresses, { search }).then(
      (response) => response.matches,
      () => null,
    )
    if (latest.current.text === typed.text) take(all, all === null)
  })
  return setLeft
}

/** Returns a function that sets the pin and fills in the address of the house at the pin. */
function usePin({ latest, change }: LocationRef, setTrouble: (trouble: string) => void) {
  const { t } = useLingui()
  // Address that the pin filled in. A later pin may replace it.
  const ofPin = useRef('')
  return async (at: Point) => {
    const typed = latest.current
    const typedText = typed.addressId === null && typed.text !== ofPin.current ? typed.text : ''
    change({ ...noLocation, text: typedText, lat: at.lat, lon: at.lon })
    try {
      const { metres, nearest } = await call(findNearest, at)
      // If the person has typed or moved the pin since the request, this response is outdated.
      if (latest.current.lat !== at.lat || latest.current.lon !== at.lon) return
      if (!metres) {
        change({ ...noLocation, text: typedText })
        return setTrouble(t`The pin is too far from the municipality. Move it closer.`)
      }
      if (nearest && typedText === '' && nearest.away <= AT_ENTRANCE_METRES) return change(locationOfAddress(nearest))
      ofPin.current = nearest ? t`Near ${nearest.text}` : t`At the pin on the map`
      const text = typedText || ofPin.current
      change({ text, addressId: null, lat: at.lat, lon: at.lon, metres })
    } catch (failure) {
      setTrouble(messageOf(failure))
    }
  }
}

function useAddressSearch({ text, addressId }: LocationValue) {
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
  const matches = search.length >= MIN_LENGTH ? (data?.matches ?? []) : []
  return { matches, isFinished: enabled && !isFetching && search === text.trim(), failed: enabled && isError }
}
