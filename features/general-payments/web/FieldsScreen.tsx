import { Trans } from '@lingui/react/macro'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import Builder from '../../../web/fields/builder/Builder.tsx'
import { reload, useAnswer } from '../../../web/query.ts'
import { useParam } from '../../../web/routes.tsx'
import { Answered } from '../../../web/ui/Answered.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { publishPaymentFields, savePaymentFields, showPaymentType } from '../contract.ts'

const HOME = '/municipality/manage/manage-General-payments'

/** What is asked of whoever pays: the fields of one payment type, with how a phone shows them. */
export default function FieldsScreen() {
  const typeId = Number(useParam('typeId')) || 1
  const answer = useAnswer(showPaymentType, { typeId })
  return (
    <>
      <PageHead title={<Trans>Fields</Trans>}>
        {answer.data && (
          <Trans>
            What whoever pays “{answer.data.form.title}” fills in.{' '}
            <Link className="link" to={`${HOME}?type=${typeId}`}>
              Back to the payment
            </Link>
          </Trans>
        )}
      </PageHead>
      <Answered answer={answer} loading={<Trans>Loading the fields</Trans>}>
        {(type) => <Fields key={type.id} type={type} />}
      </Answered>
    </>
  )
}

function Fields({ type }: { type: AnswerOf<typeof showPaymentType> }) {
  const { id: typeId, form, draft, latestVersion, today, can } = type
  if (!can['edit'])
    return (
      <Notice>
        <Trans>You can look at payments, and not change what they ask.</Trans>
      </Notice>
    )
  return (
    <>
      <h2 className="mb-2 text-h3">
        <Trans>What is asked</Trans>
      </h2>
      <p className="mb-4 max-w-text text-muted">
        {form.amountKind === 'computed' ? (
          <Trans>
            The amount comes from here: payments, and computed amounts that are charged. The name of whoever pays is
            asked before these fields.
          </Trans>
        ) : (
          <Trans>The name of whoever pays is asked before these fields. Without any field nothing else is asked.</Trans>
        )}
      </p>
      <Builder
        name={`payment-${typeId}`}
        kept={draft}
        latestVersion={latestVersion}
        today={today}
        onSave={async (definition, basis) => {
          const saved = await call(savePaymentFields, { typeId, definition, basis })
          await reload(showPaymentType)
          return saved.definition
        }}
        onPublish={async (definition) => {
          const { version } = await call(publishPaymentFields, { typeId, definition })
          await reload(showPaymentType)
          return version
        }}
      />
    </>
  )
}
