import { Trans } from '@lingui/react/macro'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { DefinedFields } from '../../../web/fields/builder/DefinedFields.tsx'
import { reload, useAnswer } from '../../../web/query.ts'
import { useParam } from '../../../web/routes.tsx'
import { Answered } from '../../../web/ui/Answered.tsx'
import { Link } from '../../../web/ui/Link.tsx'
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
  const { id: typeId, form, can } = type
  return (
    <DefinedFields
      name={`payment-${typeId}`}
      of={type}
      mayNot={can['edit'] ? null : <Trans>You can look at payments, and not change what they ask.</Trans>}
      title={<Trans>What is asked</Trans>}
      onSave={(definition, basis) => call(savePaymentFields, { typeId, definition, basis })}
      onPublish={(definition) => call(publishPaymentFields, { typeId, definition })}
      renew={() => reload(showPaymentType)}
    >
      {form.amountKind === 'computed' ? (
        <Trans>
          The amount comes from here: payments, and computed amounts that are charged. The name of whoever pays is asked
          before these fields.
        </Trans>
      ) : (
        <Trans>The name of whoever pays is asked before these fields. Without any field nothing else is asked.</Trans>
      )}
    </DefinedFields>
  )
}
