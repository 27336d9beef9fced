import { useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { call } from '../../../web/call.ts'
import type { FieldBinding } from '../../../web/ui/form.ts'
import { keyOf, queries } from '../../../web/query.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { findWorkAssets } from '../contract.ts'

/** Pause in typing before the browser queries the server, in milliseconds. */
const TYPING_MS = 250
const MIN_LENGTH = 2

/** Field for the asset of an order: a known asset from suggestions, or any text. */
export function AssetField(bound: FieldBinding) {
  const { t } = useLingui()
  const list = useId()
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const { data } = useQuery(
    {
      queryKey: keyOf(findWorkAssets, { search }),
      queryFn: ({ signal }) => call(findWorkAssets, { search }, { signal }),
      placeholderData: keepPreviousData,
      enabled: search.length >= MIN_LENGTH,
    },
    queries,
  )
  return (
    <>
      <TextField
        label={t`Asset`}
        optional
        hint={t`Enter a hydrant number or a description, for example: pump 3 or truck 12`}
        autoComplete="off"
        maxLength={120}
        list={list}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        {...bound}
      />
      <datalist id={list}>
        {data?.matches.map(({ name, location }) => (
          <option key={name} value={name} label={location} />
        ))}
      </datalist>
    </>
  )
}
