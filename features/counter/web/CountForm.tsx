import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { messageOf } from '../../../web/call.ts'
import { dropDraft, readDraft, writeDraft } from '../../../web/drafts.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { type Counts, denominations, countRefusal, sumOfCounts } from '../rules.ts'

interface Props {
  submit: ReactNode
  busyLabel: ReactNode
  onCount: (counts: Counts, note: string) => Promise<unknown>
  /** True for the count that closes a drawer. That count accepts a note and must not be empty. */
  hasNote?: boolean
  /** Storage name of the draft. The draft keeps the entered count when the dialog closes or the page reloads. */
  draft: string
}

interface Typed {
  counts: Readonly<Record<string, string>>
  note: string
}

const MAX_DIGITS = 6

/** Form to count a drawer's cash by notes and coins. An empty field counts as zero. */
export function CountForm({ submit, busyLabel, onCount, hasNote, draft }: Props) {
  const { t } = useLingui()
  const [{ counts: typed, note }, setTyped] = useState<Typed>(() => readDraft<Typed>(draft) ?? { counts: {}, note: '' })
  const type = (change: Partial<Typed>) => {
    const next = { counts: typed, note, ...change }
    setTyped(next)
    writeDraft(draft, next)
  }
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const [tried, setTried] = useState(false)
  const errorOf = (value: number): string | undefined => {
    const count = typed[value]?.trim() ?? ''
    if (!/^\d*$/.test(count)) return t`Enter a whole number.`
    return count.length > MAX_DIGITS ? t`Enter up to ${MAX_DIGITS} digits.` : undefined
  }
  const isInvalid = (value: number) => errorOf(value) !== undefined
  const counts = Object.fromEntries(
    denominations.flatMap((value) => {
      const count = typed[value]?.trim() ?? ''
      return count !== '' && !isInvalid(value) ? [[String(value), Number(count)]] : []
    }),
  )
  const send = async () => {
    setTried(true)
    if (denominations.some(isInvalid)) return
    const forgotten = hasNote ? countRefusal(typed) : null
    setRefusal(forgotten ?? '')
    if (forgotten) return
    setBusy(true)
    try {
      await onCount(counts, note)
      dropDraft(draft)
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
          <Trans>Number of each bill and coin</Trans>
        </legend>
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {denominations.map((value) => (
            <TextField
              key={value}
              label={nameOf(value)}
              inputMode="numeric"
              autoComplete="off"
              value={typed[value] ?? ''}
              error={tried ? errorOf(value) : undefined}
              onChange={({ target }) => type({ counts: { ...typed, [value]: target.value } })}
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
          onChange={({ target }) => type({ note: target.value })}
        />
      )}
      <p role="status" className="text-lg tabular-nums">
        <Trans>
          Total <strong>{formatCents(sumOfCounts(counts))}</strong>
        </Trans>
      </p>
      <div>
        <Button type="submit" variant="primary" busy={busy} busyLabel={busyLabel}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

/** Returns the name of a note or coin, such as `$20` or `25¢`. */
export const nameOf = (value: number): string => (value >= 100 ? `$${value / 100}` : `${value}¢`)
