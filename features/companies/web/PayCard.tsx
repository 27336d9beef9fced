import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { messageOf } from '../../../web/call.ts'
import { readDraft, writeDraft } from '../../../web/drafts.ts'
import { go } from '../../../web/go.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Ticket } from '../../../web/ui/Card.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { PrintedCodeField, ZipField } from '../../../web/ui/TextField.tsx'

type Field = 'accountNumber' | 'zip'
type Values = Record<Field, string>

/** The guest's bill form uses the same draft name, so that form shows the values typed here. */
const DRAFT = 'guest-bill'
const empty: Values = { accountNumber: '', zip: '' }

/** Loads the validation rules when the user starts to type, so that the page stays small. */
const rules = () => import('./find-bill.ts')

/** Form that opens a bill from the landing page, by account number and ZIP code. */
export function PayCard() {
  const { t } = useLingui()
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState<Values>(() => ({ ...empty, ...readDraft<Values>(DRAFT) }))
  const [errors, setErrors] = useState<Partial<Values>>({})
  const [refusal, setRefusal] = useState('')
  const [busy, setBusy] = useState(false)
  const [failureCount, setFailureCount] = useState(0)

  const field = (name: Field) => ({
    name,
    value: values[name],
    error: errors[name],
    onFocus: () => void rules().catch(() => {}),
    onChange: (event: { target: { value: string } }) => {
      const next = { ...values, [name]: event.target.value }
      setValues(next)
      writeDraft(DRAFT, next)
      setErrors({ ...errors, [name]: undefined })
    },
  })

  // Runs after the errors are rendered, so that the first invalid field can get the focus.
  useEffect(() => {
    if (failureCount > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]')?.focus()
  }, [failureCount])
  const point = () => setFailureCount((times) => times + 1)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setRefusal('')
    try {
      const result = await (await rules()).findBill(values)
      setErrors(result.errors ?? {})
      if (result.token) return go(`/guest/payment/${result.token}`)
      point()
    } catch (error) {
      setRefusal(messageOf(error))
      point()
    }
    setBusy(false)
  }

  return (
    <Ticket className="text-ink">
      <section aria-labelledby={id}>
        <h2 id={id} className="text-h3">
          <Trans>Pay a utility bill</Trans>
        </h2>
        <p className="mb-3 text-muted text-sm">
          <Trans>Your account number is at the top right of your bill.</Trans>
        </p>
        <form
          ref={form}
          // Without JavaScript, the page of the guest's bill shows the outcome.
          data-plain
          action="/guest-utility-payment#main"
          method="post"
          noValidate
          onSubmit={(event) => void submit(event)}
          className="flex flex-col gap-3"
        >
          {refusal && (
            <Notice tone="danger" focusable>
              {refusal}
            </Notice>
          )}
          <div className="grid gap-3 sm:grid-cols-[3fr_2fr]">
            <PrintedCodeField label={t`Account number`} {...field('accountNumber')} />
            <ZipField {...field('zip')} />
          </div>
          <Button type="submit" variant="primary" wide busy={busy} busyLabel={<Trans>Looking for your bill…</Trans>}>
            <Trans>Continue</Trans>
          </Button>
        </form>
      </section>
    </Ticket>
  )
}
