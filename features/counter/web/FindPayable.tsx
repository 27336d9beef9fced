import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { useAnswer } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { Answered } from '../../../web/ui/Answered.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { findPayables, LEAST_LETTERS } from '../contract.ts'

export type Found = AnswerOf<typeof findPayables>['found'][number]

/** Looks for what somebody wants to pay; another screen may have said for what (`?find=`). */
export function FindPayable({ chosen, onChoose }: { chosen: readonly Found[]; onChoose: (found: Found) => void }) {
  const { t } = useLingui()
  const asked = useQueryParam('find') ?? ''
  const [typed, setTyped] = useState(asked)
  const [search, setSearch] = useState(asked)
  useEffect(() => {
    setTyped(asked)
    setSearch(asked)
  }, [asked])
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
          className="min-w-0 flex-1 basis-60"
          label={t`Account number, name or address`}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" icon={Search}>
          <Trans>Find</Trans>
        </Button>
      </form>
      {search !== '' && search.length < LEAST_LETTERS && (
        <p role="status" className="mt-3">
          <Trans>Type at least {LEAST_LETTERS} letters or digits.</Trans>
        </p>
      )}
      {search.length >= LEAST_LETTERS && <Results search={search} chosen={chosen} onChoose={onChoose} />}
    </>
  )
}

interface ResultsProps {
  search: string
  chosen: readonly Found[]
  onChoose: (found: Found) => void
}

function Results({ search, chosen, onChoose }: ResultsProps) {
  const { t } = useLingui()
  const answer = useAnswer(findPayables, { search })
  return (
    <div className="mt-4">
      <Answered answer={answer} loading={<Trans>Looking</Trans>} failed={<Trans>The search did not work</Trans>}>
        {({ found, more }) => (
          <>
            <p role="status" className="mb-2 text-muted text-sm">
              {found.length === 0 ? (
                <Trans>Nothing was found. Try a part of the name, or the account number.</Trans>
              ) : more ? (
                <Trans>The first of many. Type more to find the right one.</Trans>
              ) : (
                <Trans>Found: {found.length}</Trans>
              )}
            </p>
            <ul>
              {found.map((one) => {
                const isChosen = chosen.some(({ kind, id }) => kind === one.kind && id === one.id)
                return (
                  <li
                    key={`${one.kind}/${one.id}`}
                    className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-t py-2"
                  >
                    <span className="min-w-0 wrap-anywhere">
                      <strong>{one.name}</strong> · {one.label} {one.reference}
                      <span className="block text-muted text-sm">
                        {one.place} · <Owed cents={one.owedCents} />
                      </span>
                    </span>
                    <Button
                      size="small"
                      icon={Plus}
                      disabled={isChosen || (one.owedCents <= 0 && !one.takesCredit)}
                      onClick={() => onChoose(one)}
                      aria-label={t`Add ${one.label} ${one.reference}`}
                    >
                      <Trans>Add</Trans>
                    </Button>
                  </li>
                )
              })}
            </ul>
          </>
        )}
      </Answered>
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
