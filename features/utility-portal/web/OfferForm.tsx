import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { boot } from '../../../web/boot.ts'
import { call } from '../../../web/call.ts'
import { reload } from '../../../web/query.ts'
import { Checkbox, RadioCards, Select } from '../../../web/ui/Choice.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { SubmitButton } from '../../../web/ui/FormButtons.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { offerForm, offerShare, returnShares } from '../contract.ts'
import { Terms } from './Terms.tsx'

interface OfferResult {
  message: string
  code: string
}

/** Form that offers a share of an account. Shows the shared data first. */
export function OfferForm({ accounts }: { accounts: ResponseOf<typeof returnShares>['accounts'] }) {
  const { t } = useLingui()
  const [made, setMade] = useState<OfferResult>()
  const form = useZodForm(offerForm, {
    defaultValues: { accountId: accounts[0]?.id ?? 0, kind: 'history', withAmounts: false, toEmail: '' },
  })
  const kind = form.watch('kind') === 'watch' ? 'watch' : 'history'
  const withAmounts = form.watch('withAmounts')
  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        setMade(await call(offerShare, values))
        await reload(returnShares)
      }}
    >
      {made && (
        <Notice tone="success" title={made.message}>
          <Trans>
            The code is <strong className="font-mono">{made.code}</strong>. It is shown here once, and works for 30
            days.
          </Trans>
        </Notice>
      )}
      <Select
        label={t`Account`}
        {...form.choice('accountId')}
        onChange={({ target }) => form.setValue('accountId', Number(target.value))}
        options={accounts.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <RadioCards
        label={t`What do you share?`}
        options={[
          { value: 'history', label: t`The history of use`, note: t`For whoever lives there next` },
          {
            value: 'watch',
            label: t`Watching over the account`,
            note: t`For a landlord, who sees when it falls behind`,
          },
        ]}
        {...form.choice('kind')}
      />
      {kind === 'history' && <Checkbox label={t`What the bills came to, too`} {...form.field('withAmounts')} />}
      <Notice title={<Trans>This is what they would see</Trans>}>
        <Terms of={{ kind, withAmounts, until: boot.today }} />
      </Notice>
      <TextField
        type="email"
        label={t`Email of the other`}
        hint={t`Nobody else can accept it then. Leave it empty to hand on the code yourself.`}
        optional
        autoComplete="off"
        {...form.field('toEmail')}
      />
      <SubmitButton form={form} busyLabel={<Trans>Offering…</Trans>}>
        <Trans>Offer it</Trans>
      </SubmitButton>
    </Form>
  )
}
