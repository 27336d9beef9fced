import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { reload } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { Checkbox, DateField } from '../../../web/ui/Choice.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Link } from '../../../web/ui/Link.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { linkedAccounts, saveAccount, settingsForm, showAccount } from '../contract.ts'

type ShowAccountResponse = ResponseOf<typeof showAccount>

/** Settings of an account: nickname, paperless billing and usage alerts. */
export function SettingsPanel({ view: { account, settings, unit } }: { view: ShowAccountResponse }) {
  const { t } = useLingui()
  const form = useZodForm(settingsForm, { defaultValues: settings, basis: settings })
  return (
    <Panel id="settings" title={<Trans>Account settings</Trans>}>
      <Form
        form={form}
        onSubmit={async (values) => {
          const { message } = await call(saveAccount, {
            accountId: account.id,
            settings: values,
            ...(form.basis && { basis: form.basis }),
          })
          await Promise.all([reload(showAccount), reload(linkedAccounts)])
          toast(message)
        }}
      >
        <TextField label={t`Account nickname`} hint={t`For example: Home`} optional {...form.field('nickname')} />
        <Checkbox
          label={t`Paperless billing`}
          hint={t`We will email you when a bill is ready. Everyone who linked this account will get the email, and no printed bill will be sent.`}
          {...form.field('paperless')}
        />
        {unit && (
          <fieldset className="flex flex-col gap-5">
            <legend className="mb-3 font-bold">
              <Trans>Email alerts</Trans>
            </legend>
            <TextField
              label={t`Usage limit between two readings`}
              hint={t`In ${unit}`}
              optional
              inputMode="decimal"
              className="max-w-60"
              {...form.field('usageLimit')}
            />
            <div>
              <div className="grid gap-5 md:grid-cols-2">
                <DateField label={t`First day away`} optional {...form.field('awayFrom')} />
                <DateField label={t`Last day away`} optional {...form.field('awayUntil')} />
              </div>
              <p className="mt-1 text-muted text-sm">
                <Trans>We will alert you to any usage between meter readings taken during this period.</Trans>
              </p>
            </div>
            <TextField
              type="email"
              label={t`Additional recipient for usage alerts`}
              hint={t`The recipient’s email address. Recipients can unsubscribe at any time.`}
              optional
              autoComplete="off"
              {...form.field('alsoTo')}
            />
          </fieldset>
        )}
        <div>
          <Button
            type="submit"
            variant="primary"
            busy={form.formState.isSubmitting}
            busyLabel={<Trans>Saving...</Trans>}
          >
            <Trans>Save</Trans>
          </Button>
        </div>
      </Form>
      <p className="mt-5">
        <Link className="link" to="/profile/payment-methods">
          <Trans>Set up AutoPay for this account</Trans>
        </Link>
      </p>
    </Panel>
  )
}
