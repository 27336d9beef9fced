import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { formatShortDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { useResponse } from '../../../web/query.ts'
import { type ScreenUrl, useParam } from '../../../web/routes.tsx'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Card, DetailList } from '../../../web/ui/Card.tsx'
import { Checkbox, Select } from '../../../web/ui/Choice.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { plainCheck } from '../../../web/ui/plain-check.ts'
import { TextField } from '../../../web/ui/TextField.tsx'
import { answerAsOwner, ownerRequest, ownerForm } from '../contract.ts'

export const calls = ({ params: { token = '' } }: ScreenUrl) => [[ownerRequest, { token }]] as const

/** Screen where an owner agrees to a move or refuses it. The owner opens it with the emailed link. */
export default function OwnerScreen() {
  const token = useParam('token')
  const response = useResponse(ownerRequest, { token })
  return (
    <Measure className="py-10 md:py-14">
      <div className="mx-auto max-w-text">
        <PageHead title={<Trans>Do you agree to this move?</Trans>} />
        <ResponseView response={response} shape="lines" loading={<Trans>Loading the move</Trans>}>
          {(view) => <OwnerContent token={token} request={view} />}
        </ResponseView>
      </div>
    </Measure>
  )
}

function OwnerContent({ token, request }: { token: string; request: ResponseOf<typeof ownerRequest> }) {
  const { t } = useLingui()
  const form = useZodForm(ownerForm, {
    defaultValues: { agrees: '' as 'yes', standsIn: false, signed: '' },
    plain: answerAsOwner,
  })
  const [answered, setAnswered] = useState(form.plainResponse as ResponseOf<typeof answerAsOwner> | null)
  if (answered) return <Notice tone="success">{answered.message}</Notice>
  return (
    <Card as="div">
      <DetailList
        className="mb-5"
        details={[
          [t`Move request`, request.number],
          [t`Requester`, request.name],
          [request.isComing ? t`Moving into` : t`Moving out of`, request.premise],
          [t`Day`, formatShortDate(request.on)],
        ]}
      />
      {request.open ? (
        <Form form={form} onSubmit={async (values) => setAnswered(await call(answerAsOwner, { ...values, token }))}>
          <Select
            label={t`Your answer`}
            placeholder={t`Choose one`}
            options={[
              { value: 'yes', label: t`I agree` },
              { value: 'no', label: t`I do not agree` },
            ]}
            {...form.field('agrees')}
          />
          <Checkbox
            label={t`I am responsible for this property while it is vacant`}
            hint={t`Between tenants, you will receive the bills and the service will stay on. This choice applies only if you agree to the move.`}
            {...plainCheck(form.field('standsIn'))}
          />
          <TextField
            label={t`Your full name`}
            hint={t`Your name will appear under your answer as your signature.`}
            autoComplete="name"
            {...form.field('signed')}
          />
          <div>
            <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
              <Trans>Submit answer</Trans>
            </Button>
          </div>
        </Form>
      ) : (
        <Notice>
          {request.response === 'agreed' ? (
            <Trans>You have already agreed. Thank you.</Trans>
          ) : request.response === 'refused' ? (
            <Trans>You have already answered “I do not agree”.</Trans>
          ) : (
            <Trans>This move request no longer needs an answer.</Trans>
          )}
        </Notice>
      )}
    </Card>
  )
}
