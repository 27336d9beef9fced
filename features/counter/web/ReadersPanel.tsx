import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { call } from '../../../web/call.ts'
import { reload, useAnswer } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormActions } from '../../../web/ui/FormButtons.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { cardReaders, pairCardReader, readerForm } from '../contract.ts'

/** The card readers of the counter, where the town has such. */
export function ReadersPanel() {
  const { data } = useAnswer(cardReaders, {})
  const [pairing, setPairing] = useState(false)
  if (!data?.cards) return null
  return (
    <Panel id="card-readers" title={<Trans>Card readers</Trans>}>
      {data.readers.length === 0 ? (
        <p className="mb-4 text-muted">
          <Trans>No card reader is paired yet. Switch one on and enter the code that it shows.</Trans>
        </p>
      ) : (
        <ul className="mb-4">
          {data.readers.map(({ id, label }) => (
            <li key={id}>{label}</li>
          ))}
        </ul>
      )}
      {pairing ? (
        <PairForm onDone={() => setPairing(false)} />
      ) : (
        <Button size="small" onClick={() => setPairing(true)}>
          <Trans>Pair a card reader</Trans>
        </Button>
      )}
    </Panel>
  )
}

function PairForm({ onDone }: { onDone: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(readerForm, { defaultValues: { code: '', label: '' } })
  return (
    <Form
      form={form}
      onSubmit={async (wish) => {
        const { message } = await call(pairCardReader, wish)
        await reload(cardReaders)
        toast(message)
        onDone()
      }}
    >
      <TextField
        label={t`Code on the reader`}
        hint={t`With the sandbox: simulated- and letters, such as simulated-front.`}
        autoComplete="off"
        {...form.field('code')}
      />
      <TextField label={t`Name`} hint={t`Where it stands: Front desk.`} maxLength={60} {...form.field('label')} />
      <FormActions
        form={form}
        submit={<Trans>Pair it</Trans>}
        busyLabel={<Trans>Pairing...</Trans>}
        onCancel={onDone}
      />
    </Form>
  )
}
