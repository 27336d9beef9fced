import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { messageOf } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { type Counts, denominations, refuseCount, sumOfCounts } from '../rules.ts'

interface Props {
  submit: ReactNode
  busyLabel: ReactNode
  onCount: (counts: Counts, note: string) => Promise<unknown>
  /** True for the count that closes a drawer. It accepts a note and must not be empty. */
  hasNote?: boolean
}

/** Count of a drawer's cash by notes and coins. An empty field counts as none. */
export function CountForm({ submit, busyLabel, onCount, hasNote }: Props) {
  const { t } = useLingui()
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [note, setNote] = useState('')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const [tried, setTried] = useState(false)
  const isInvalid = (value: number) => !/^\d{0,6}$/.test(typed[value]?.trim() ?? '')
  const counts = Object.fromEntries(
    denominations.flatMap((value) => {
      const count = typed[value]?.trim() ?? ''
      return count !== '' && !isInvalid(value) ? [[String(value), Number(count)]] : []
    }),
  )
  const send = async () => {
    setTried(true)
    if (denominations.some(isInvalid)) return
    const forgotten = hasNote ? refuseCount(typed) : null
    setRefusal(forgotten ?? '')
    if (forgotten) return
    setBusy(true)
    try {
      await onCount(counts, note)
    } catch (error) {
      setRefusal(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Refusal>{refusal}</Refusal>
      <fieldset>
        <legend className="mb-2 font-bold">
          <Trans>How many of each</Trans>
        </legend>
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {denominations.map((value) => (
            <TextField
              key={value}
              label={nameOf(value)}
              inputMode="numeric"
              autoComplete="off"
              value={typed[value] ?? ''}
              error={tried && isInvalid(value) ? t`Enter a whole number.` : undefined}
              onChange={(event) => setTyped({ ...typed, [value]: event.target.value })}
            />
          ))}
        </div>
      </fieldset>
      {hasNote && (
        <TextField
          label={t`Note`}
          hint={t`If the cash is over or short, enter the reason.`}
          optional
          maxLength={300}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      )}
      <p role="status" className="text-lg tabular-nums">
        <Trans>
          Together <strong>{formatCents(sumOfCounts(counts))}</strong>
        </Trans>
      </p>
      <div>
        <Button type="submit" look="primary" busy={busy} busyLabel={busyLabel}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

/** `$20`, `25¢`. */
export const nameOf = (value: number): string => (value >= 100 ? `$${value / 100}` : `${value}¢`)
