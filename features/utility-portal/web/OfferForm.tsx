import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { page } from '../../../web/page.ts'
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

/** Form for offering to share an account. Describes the shared data first. */
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
            The offer code is <strong className="font-mono">{made.code}</strong>. It works for 30 days. This is the only
            time we will show it.
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
        label={t`What do you want to share?`}
        options={[
          { value: 'history', label: t`Usage history`, note: t`For the next occupant` },
          {
            value: 'watch',
            label: t`Account status`,
            note: t`For a landlord, to see when the account is past due`,
          },
        ]}
        {...form.choice('kind')}
      />
      {kind === 'history' && <Checkbox label={t`Include bill amounts`} {...form.field('withAmounts')} />}
      <Notice title={<Trans>Information that the recipient would see</Trans>}>
        <Terms of={{ kind, withAmounts, until: page().today }} />
      </Notice>
      <TextField
        type="email"
        label={t`Recipient’s email`}
        hint={t`Only this person can accept the offer. Leave this field empty to share the code yourself.`}
        optional
        autoComplete="off"
        {...form.field('toEmail')}
      />
      <SubmitButton form={form} busyLabel={<Trans>Creating offer…</Trans>}>
        <Trans>Create offer</Trans>
      </SubmitButton>
    </Form>
  )
}
