import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { blankField } from '../../../../shared/fields/blank.ts'
import { call } from '../../../../web/call.ts'
import { SignatureInput } from '../../../../web/fields/SignatureInput.tsx'
import { reload, useResponse } from '../../../../web/query.ts'
import { type ScreenUrl, useParam } from '../../../../web/routes.tsx'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { Card, DetailList } from '../../../../web/ui/Card.tsx'
import { Checkbox } from '../../../../web/ui/Choice.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { SubmitButton } from '../../../../web/ui/FormButtons.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../../web/ui/Page.tsx'
import { plainCheck } from '../../../../web/ui/plain-check.ts'
import { PlainForm, plainField, Scripted } from '../../../../web/ui/PlainForm.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { signatureForm, signForm, toSign } from '../../contract.ts'
import { TYPED } from '../../rules.ts'

export const calls = ({ params: { token = '' } }: ScreenUrl) => [[toSign, { token }]] as const

/** Screen for the co-signer, who reads and signs the submission. */
export default function SignScreen() {
  const token = useParam('token')
  const response = useResponse(toSign, { token })
  return (
    <Measure className="py-10 md:py-14">
      <div className="mx-auto max-w-text">
        <PageHead title={<Trans>Please Sign</Trans>}>
          {response.data && (
            <Trans>
              {response.data.from} filled out “{response.data.title}” and asked you to sign it too.
            </Trans>
          )}
        </PageHead>
        <ResponseView response={response} loading={<Trans>Loading the form to sign</Trans>} shape="lines">
          {(loaded) => (
            <>
              <Card as="div" className="mb-6">
                <DetailList details={loaded.answers.map(({ label, value }) => [label, value || '–'] as const)} />
              </Card>
              {loaded.signed ? (
                <Notice tone="success">
                  <Trans>This form has been signed and submitted. Thank you.</Trans>
                </Notice>
              ) : (
                <Scripted otherwise={<SignWithoutScript view={loaded} />}>
                  <Sign token={token} view={loaded} />
                </Scripted>
              )}
            </>
          )}
        </ResponseView>
      </div>
    </Measure>
  )
}

function Sign({ token, view }: { token: string; view: ResponseOf<typeof toSign> }) {
  const { t } = useLingui()
  const form = useZodForm(signatureForm, { defaultValues: { signature: { typed: '' }, agreed: false as never } })
  const { name, value, onChange, error } = form.choice('signature')
  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        await call(signForm, { ...values, token })
        await reload(toSign)
      }}
    >
      <SignatureInput
        field={{
          ...blankField('signature', name),
          label: t`Your signature`,
          help: t`Sign with your name: ${view.signer}`,
          required: true,
        }}
        value={value}
        onChange={(next) => onChange(next as typeof value)}
        errorAt={() => error}
      />
      <Checkbox label={t`I have read this form and agree to sign it.`} {...form.field('agreed')} />
      <SubmitButton form={form} busyLabel={<Trans>Signing…</Trans>}>
        <Trans>Sign</Trans>
      </SubmitButton>
    </Form>
  )
}

/** Form to sign with a typed name, in a page without JavaScript. */
function SignWithoutScript({ view }: { view: ResponseOf<typeof toSign> }) {
  const { t } = useLingui()
  const field = plainField(signForm)
  return (
    <PlainForm call={signForm} className="items-stretch">
      <TextField
        label={t`Your full name, as your signature`}
        hint={t`Sign with your name: ${view.signer}`}
        autoComplete="name"
        {...field(TYPED, 'signature')}
      />
      <Checkbox label={t`I have read this form and agree to sign it.`} {...plainCheck(field('agreed'))} />
      <div>
        <Button type="submit" variant="primary">
          <Trans>Sign</Trans>
        </Button>
      </div>
    </PlainForm>
  )
}
