import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { formatDate } from '../../../../shared/dates.ts'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { sizeLabel } from '../../../../shared/file-types.ts'
import { call, messageOf } from '../../../../web/call.ts'
import { shortInstant } from '../../../../web/clock.ts'
import { download } from '../../../../web/download.ts'
import { go } from '../../../../web/go.ts'
import { useResponse } from '../../../../web/query.ts'
import { useParam, useTitle } from '../../../../web/routes.tsx'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { Card, DetailList } from '../../../../web/ui/Card.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { SubmitButton } from '../../../../web/ui/FormButtons.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { Refusal } from '../../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../../web/ui/Page.tsx'
import { EmailField, TextField } from '../../../../web/ui/TextField.tsx'
import { residentFormPdf } from '../../contract-pdf.ts'
import { startForm, forSomebodyForm, residentForm } from '../../contract.ts'
import { feeText } from '../fee.ts'
import { Text } from '../../../../web/ui/Text.tsx'

type ResidentFormResponse = ResponseOf<typeof residentForm>

/** Start page of a form, with its purpose, fee and steps. */
export default function FormScreen() {
  const { t } = useLingui()
  const slug = useParam('slug')
  const response = useResponse(residentForm, { slug })
  useTitle(response.data?.title ?? t`Form`)
  return (
    <Measure className="py-10 md:py-14">
      <p className="mb-3">
        <Link className="link" to="/forms-documents">
          <Trans>All forms</Trans>
        </Link>
      </p>
      <PageHead title={response.data?.title ?? <Trans>Form</Trans>}>
        {response.data?.description && <p className="whitespace-pre-line">{response.data.description}</p>}
      </PageHead>
      <ResponseView response={response} loading={<Trans>Loading form</Trans>} shape="lines">
        {(form) => <ResidentForm form={form} />}
      </ResponseView>
    </Measure>
  )
}

function ResidentForm({ form }: { form: ResidentFormResponse }) {
  const { t } = useLingui()
  const { slug, feeCents, feeRange, closesOn, issues, steps, cosigned, started, pdf } = form
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [forOther, setForOther] = useState(false)
  const failed = (error: unknown) => setRefusal(messageOf(error))
  const openForm = async () => {
    setBusy(true)
    try {
      const { submissionId } = await call(startForm, { slug })
      go(`/forms-documents/fill/${submissionId}`)
    } catch (error) {
      setRefusal(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,38rem)_minmax(0,1fr)] lg:gap-12">
      <Card as="div" className="flex flex-col items-start gap-5">
        <Refusal>{refusal}</Refusal>
        {started.length > 0 && (
          <section className="w-full">
            <h2 className="mb-2 text-h3">
              <Trans>Continue your form</Trans>
            </h2>
            <ul className="divide-y divide-line">
              {started.map(({ id, number, savedAt, applicant }) => (
                <li key={id} className="py-2">
                  <Link className="link" to={`/forms-documents/fill/${id}`}>
                    <Trans>Continue form {number}</Trans>
                  </Link>
                  <p className="text-muted text-sm">
                    {applicant && (
                      <>
                        <Trans>For {applicant}</Trans>
                        <Text>{' · '}</Text>
                      </>
                    )}
                    <Trans>Saved {shortInstant(savedAt)}</Trans>
                  </p>
                </li>
              ))}
            </ul>
          </section>
        )}
        <Button variant={started.length > 0 ? 'secondary' : 'primary'} busy={busy} onClick={() => void openForm()}>
          {started.length > 0 ? <Trans>Start another form</Trans> : <Trans>Start form</Trans>}
        </Button>
        {forOther ? (
          <ForOther slug={slug} />
        ) : (
          <Button variant="quiet" onClick={() => setForOther(true)}>
            <Trans>Fill out form for someone else</Trans>
          </Button>
        )}
      </Card>
      <div>
        <h2 className="mb-3 text-h3">
          <Trans>Before you start</Trans>
        </h2>
        <DetailList
          details={[
            [t`Fee`, feeText(feeCents, feeRange)],
            ...(issues ? ([[t`Document issued on approval`, issues]] as const) : []),
            ...(closesOn ? ([[t`Open until`, formatDate(closesOn)]] as const) : []),
            ...(steps.length > 1 ? ([[t`Steps`, steps.join(', ')]] as const) : []),
            ...(cosigned ? ([[t`Signatures`, t`A second signer gets a link by email`]] as const) : []),
          ]}
        />
        {pdf && (
          <div className="mt-4 max-w-text">
            <p className="mb-2">
              {pdf.kind === 'flat' ? (
                <Trans>Download this form, fill it out and upload it here as a PDF or as photos.</Trans>
              ) : (
                <Trans>Would you rather fill out the form by hand? Download and print it.</Trans>
              )}
            </p>
            <Button icon={Download} onClick={() => void download(residentFormPdf, { slug }).catch(failed)}>
              <span className="wrap-anywhere">
                <Trans>
                  {pdf.name}, {sizeLabel(pdf.bytes)}
                </Trans>
              </span>
            </Button>
          </div>
        )}
        <p className="mt-4 max-w-text text-muted text-sm">
          <Trans>We save your answers as you type. You can review everything before you submit the form.</Trans>
        </p>
      </div>
    </div>
  )
}

function ForOther({ slug }: { slug: string }) {
  const { t } = useLingui()
  const form = useZodForm(forSomebodyForm, { defaultValues: { name: '', email: '' } })
  return (
    <Form
      form={form}
      onSubmit={async (applicant) => {
        const { submissionId } = await call(startForm, { slug, applicant })
        go(`/forms-documents/fill/${submissionId}`)
      }}
    >
      <h2 className="text-h3">
        <Trans>For someone else</Trans>
      </h2>
      <p className="text-muted">
        <Trans>
          This form will appear under your forms, with your name as the helper. We will email the other person about it.
        </Trans>
      </p>
      <TextField label={t`Their name`} autoComplete="off" {...form.field('name')} />
      <EmailField
        label={t`Their email`}
        hint={t`Leave empty if they have no email address.`}
        optional
        autoComplete="off"
        {...form.field('email')}
      />
      <SubmitButton form={form} busyLabel={<Trans>Starting…</Trans>}>
        <Trans>Start form for this person</Trans>
      </SubmitButton>
    </Form>
  )
}
