import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { typePhone } from '../../../shared/phone.ts'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import type { TableState } from '../../../web/ui/office/table/table-state.ts'
import { TextField } from '../../../web/ui/TextField.tsx'

type Text = 'email' | 'name' | 'serviceAddress' | 'phone' | 'accountNumber'
export type Filter = Text | 'profiles'

/** While somebody types, the server is left in peace this long. */
const TYPING_MS = 300

/** The customer search of specification 2.18: who has no account has no phone and no number to look for. */
export function CustomerFilters({ state }: { state: TableState<Filter> }) {
  const { t } = useLingui()
  const profiles = state.question.filters.profiles === '1'
  return (
    <>
      <Wanted state={state} name="email" label={t`Email`} />
      <Wanted state={state} name="name" label={t`Name`} />
      <Wanted state={state} name="serviceAddress" label={t`Service Address`} />
      {!profiles && <Wanted state={state} name="phone" label={t`Phone`} format={typePhone} />}
      {!profiles && <Wanted state={state} name="accountNumber" label={t`Customer Number`} />}
      <Checkbox
        className="self-end sm:max-md:col-span-2 md:mb-1"
        label={<Trans>Search for profiles without utility accounts</Trans>}
        checked={profiles}
        onChange={({ target }) =>
          state.setFilters({ profiles: target.checked ? '1' : '', phone: '', accountNumber: '' })
        }
      />
    </>
  )
}

interface WantedProps {
  state: TableState<Filter>
  name: Text
  label: string
  format?: (text: string) => string
}

/** One field; it asks when the typing pauses. */
function Wanted({ state, name, label, format = (text) => text }: WantedProps) {
  const asked = state.question.filters[name]
  const [text, setText] = useState(asked)
  const [known, setKnown] = useState(asked)
  // Somebody else changed it: the back button, a link.
  if (known !== asked) {
    setKnown(asked)
    setText(asked)
  }
  const { setFilters } = state
  useEffect(() => {
    if (text.trim() === known) return
    const timer = setTimeout(() => setFilters({ [name]: text.trim() }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, known, name, setFilters])
  return (
    <TextField
      className="md:w-44"
      label={label}
      value={text}
      maxLength={100}
      onChange={({ target }) => setText(format(target.value))}
    />
  )
}
