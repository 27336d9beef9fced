import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call, messageOf } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Checkbox, Select } from '../../../web/ui/Choice.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { LoadingState } from '../../../web/ui/States.tsx'
import { TextArea, TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { ccsForm, companySso, providerForm, saveCompanySso } from '../contract.ts'
import { Text } from '../../../web/ui/Text.tsx'

type Settings = ResponseOf<typeof companySso>

interface Props {
  companyId: number
  onClose: () => void
}

/** Single sign-on settings of a company: its issuer and the hand-off from its billing system. Loaded on demand. */
export default function CompanySso({ companyId, onClose }: Props) {
  const { data, error } = useResponse(companySso, { companyId })
  return (
    <SlideOut title={<Trans>Single Sign-On</Trans>} onClose={onClose}>
      {error && (
        <Notice tone="danger" focusable>
          {messageOf(error)}
        </Notice>
      )}
      {!data && !error && (
        <LoadingState shape="lines">
          <Trans>Loading settings</Trans>
        </LoadingState>
      )}
      {data && (
        <div className="flex flex-col gap-8">
          <p className="font-bold text-h3">{data.companyName}</p>
          <Issuer companyId={companyId} {...data} />
          <Billing companyId={companyId} {...data} />
        </div>
      )}
    </SlideOut>
  )
}

type PartProps = Settings & { companyId: number }

const Part = ({ id, title, children }: { id: string; title: ReactNode; children: ReactNode }) => (
  <section aria-labelledby={id}>
    <h3 id={id} className="mb-3 text-h3">
      {title}
    </h3>
    <Text>{children}</Text>
  </section>
)

/** Box with a URL that must be registered with the issuer or the billing system. */
const CopyValue = ({ children }: { children: ReactNode }) => (
  <p className="mb-4 rounded-sm border border-line bg-tint px-3 py-2 text-sm wrap-anywhere">{children}</p>
)

function Issuer({ companyId, companyName, redirectUri, provider }: PartProps) {
  const { t } = useLingui()
  const basis = provider ?? {
    isActive: true,
    label: '',
    issuer: '',
    clientId: '',
    audience: 'residents' as const,
    secretMark: '',
    claimEmail: 'email',
    claimFirstName: 'given_name',
    claimLastName: 'family_name',
    countsAsSecondFactor: false,
  }
  const form = useZodForm(providerForm, {
    defaultValues: { ...basis, clientSecret: '' },
    basis,
    draft: { name: `sso-${companyId}`, leaveOut: ['clientSecret'] },
  })
  const save = useSave(companyId)
  return (
    <Part id="sso-issuer" title={<Trans>OpenID Connect</Trans>}>
      <CopyValue>
        <Trans>
          Register this redirect URI with the issuer: <strong>{redirectUri}</strong>
        </Trans>
      </CopyValue>
      <Form
        id="sso-provider"
        form={form}
        onSubmit={async (values) => {
          const body = { provider: values, ...(form.basis && { basis: { provider: form.basis } }) }
          // Clears the secret field immediately, because staff may type another secret while the settings reload.
          await save.run(body, () => form.setValue('clientSecret', ''))
        }}
      >
        <Checkbox label={t`Active: show this option on the sign-in page`} {...form.field('isActive')} />
        <TextField
          label={t`Label`}
          hint={t`The button reads "Sign in with", followed by this label.`}
          {...form.field('label')}
        />
        <TextField
          label={t`Issuer`}
          hint={t`Example: https://login.example.gov`}
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          {...form.field('issuer')}
        />
        <TextField label={t`Client ID`} autoCapitalize="none" spellCheck={false} {...form.field('clientId')} />
        <TextField
          label={t`Client secret`}
          type="password"
          autoComplete="off"
          hint={
            provider
              ? t`Stored encrypted. Leave empty to keep the current secret.`
              : t`Stored encrypted and never shown again.`
          }
          {...form.field('clientSecret')}
        />
        <Select
          label={t`Available to`}
          options={[
            { value: 'residents', label: t`Residents` },
            { value: 'staff', label: t`${companyName} staff` },
            { value: 'both', label: t`Residents and staff` },
          ]}
          {...form.field('audience')}
        />
        <TextField label={t`Email claim`} spellCheck={false} {...form.field('claimEmail')} />
        <TextField label={t`First name claim`} spellCheck={false} {...form.field('claimFirstName')} />
        <TextField label={t`Last name claim`} spellCheck={false} {...form.field('claimLastName')} />
        <Checkbox
          label={t`Sign-in counts as two-factor authentication`}
          hint={t`Check this only if the issuer requires two-factor authentication for everyone.`}
          {...form.field('countsAsSecondFactor')}
        />
        <Outcome of={save.outcome} />
        <SaveButton busy={form.formState.isSubmitting} />
      </Form>
    </Part>
  )
}

function Billing({ companyId, handOffUrl, ccs }: PartProps) {
  const { t } = useLingui()
  const basis = ccs ?? { isActive: true, label: '', issuer: '', jwks: '', jwksUrl: '' }
  const form = useZodForm(ccsForm, {
    defaultValues: basis,
    basis,
    draft: { name: `sso-billing-${companyId}` },
  })
  const save = useSave(companyId)
  return (
    <Part id="sso-billing" title={<Trans>Sign-in from a billing system</Trans>}>
      <CopyValue>
        <Trans>
          The billing system posts its customers’ signed tokens to <strong>{handOffUrl}</strong>
        </Trans>
      </CopyValue>
      <Form
        id="sso-ccs"
        form={form}
        onSubmit={(values) => save.run({ ccs: values, ...(form.basis && { basis: { ccs: form.basis } }) })}
      >
        <Checkbox label={t`Active: let the billing system’s customers sign in`} {...form.field('isActive')} />
        <TextField label={t`Name of the billing system`} {...form.field('label')} />
        <TextField
          label={t`Token issuer`}
          hint={t`Enter the "iss" value from the billing system’s tokens.`}
          autoCapitalize="none"
          spellCheck={false}
          {...form.field('issuer')}
        />
        <TextArea
          label={t`Public keys`}
          hint={t`Paste a JSON object with "keys". Each key must be Ed25519, or RSA of at least 2048 bits.`}
          spellCheck={false}
          optional
          {...form.field('jwks')}
        />
        <TextField
          label={t`URL of the public keys`}
          hint={t`You can enter this URL instead of pasting the keys.`}
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          optional
          {...form.field('jwksUrl')}
        />
        <Outcome of={save.outcome} />
        <SaveButton busy={form.formState.isSubmitting} />
      </Form>
    </Part>
  )
}

const SaveButton = ({ busy }: { busy: boolean }) =>
  may('settings', 'delete') && (
    <Button type="submit" variant="primary" busy={busy} busyLabel={<Trans>Saving...</Trans>}>
      <Trans>Save</Trans>
    </Button>
  )

/** Saves the settings. If they work, shows a toast. Otherwise shows the problem on the page. */
function useSave(companyId: number) {
  const [outcome, setOutcome] = useState<string | null>(null)
  const run = async (
    body: Omit<Parameters<typeof call<typeof saveCompanySso>>[1] & object, 'companyId'>,
    onSaved?: () => void,
  ) => {
    const { message, works } = await call(saveCompanySso, { companyId, ...body })
    onSaved?.()
    setOutcome(works ? null : message)
    if (works) toast(message)
    await reload(companySso)
  }
  return { run, outcome }
}

const Outcome = ({ of }: { of: string | null }) =>
  of && (
    <Notice tone="warning" focusable>
      {of}
    </Notice>
  )
