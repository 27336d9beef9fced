import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type LucideIcon, Search } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useState } from 'react'
import { formatCents } from '../../shared/money.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { ResponseView } from '../ui/ResponseView.tsx'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/TextField.tsx'
import { Code, Text } from '../ui/Text.tsx'

/** A payable item, with details that help staff identify it. */
export interface PayableMatch {
  kind: string
  id: number
  label: string
  reference: string
  name: string
  description: string
  owedCents: number
  takesCredit: boolean
}

interface FindProps {
  /** Search text when the screen opens. */
  initialSearch?: string
  /** Minimum length of the search text. */
  minLength: number
  /** Hook that runs the search. */
  useSearch: (search: string) => UseQueryResult<{ matches: PayableMatch[]; more: boolean }>
  /** Button next to each item. `label` is visible, and `name` is the label for screen readers. */
  button: { label: ReactNode; name: (match: PayableMatch) => string; icon?: LucideIcon }
  chosen?: readonly PayableMatch[]
  onChoose: (match: PayableMatch) => void
  /** Ref of the search field. */
  field?: Ref<HTMLInputElement> | undefined
}

/** Form that searches for items to pay, by account number, citation number, item number, name or address. */
export function FindToPay({ initialSearch = '', minLength, field, ...results }: FindProps) {
  const { t } = useLingui()
  const [typed, setTyped] = useState(initialSearch)
  const [search, setSearch] = useState(initialSearch)
  useEffect(() => {
    setTyped(initialSearch)
    setSearch(initialSearch)
  }, [initialSearch])
  return (
    <>
      <form
        role="search"
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          setSearch(typed.trim())
        }}
      >
        <TextField
          ref={field}
          className="min-w-0 flex-1 basis-60"
          label={t`Account, citation number, name or address`}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" icon={Search}>
          <Trans>Search</Trans>
        </Button>
      </form>
      {search !== '' && search.length < minLength && (
        <p role="status" className="mt-3">
          <Trans>Enter at least {minLength} letters or digits.</Trans>
        </p>
      )}
      {search.length >= minLength && <Results search={search} {...results} />}
    </>
  )
}

function Results({
  search,
  useSearch,
  button,
  chosen = [],
  onChoose,
}: Omit<FindProps, 'initialSearch' | 'minLength' | 'field'> & { search: string }) {
  const response = useSearch(search)
  return (
    <div className="mt-4">
      <ResponseView response={response} loading={<Trans>Searching</Trans>} failed={<Trans>The search failed</Trans>}>
        {({ matches, more }) => (
          <>
            <p role="status" className="mb-2 text-muted text-sm">
              {matches.length === 0 ? (
                <Trans>No results. Try part of the name, or the account number.</Trans>
              ) : more ? (
                <Trans>Only the first results are shown. Enter more details to narrow the search.</Trans>
              ) : (
                <Plural value={matches.length} one="# result" other="# results" />
              )}
            </p>
            <ul>
              {matches.map((one) => {
                const isChosen = chosen.some(({ kind, id }) => kind === one.kind && id === one.id)
                return (
                  <li
                    key={`${one.kind}/${one.id}`}
                    className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-t py-2"
                  >
                    <span className="min-w-0 wrap-anywhere">
                      <strong>{one.name}</strong> · <Text>{one.label}</Text> <Code>{one.reference}</Code>
                      <span className="block text-muted text-sm">
                        <Text>{one.description}</Text> · <Owed cents={one.owedCents} />
                      </span>
                    </span>
                    <Button
                      size="small"
                      icon={button.icon}
                      disabled={isChosen || (one.owedCents <= 0 && !one.takesCredit)}
                      onClick={() => onChoose(one)}
                      aria-label={button.name(one)}
                    >
                      {button.label}
                    </Button>
                  </li>
                )
              })}
            </ul>
          </>
        )}
      </ResponseView>
    </div>
  )
}

export const Owed = ({ cents }: { cents: number }) =>
  cents > 0 ? (
    <Trans>owes {formatCents(cents)}</Trans>
  ) : cents < 0 ? (
    <Trans>credit of {formatCents(-cents)}</Trans>
  ) : (
    <Trans>owes nothing</Trans>
  )
