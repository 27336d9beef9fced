import { Trans } from '@lingui/react/macro'
import { call } from '../../../web/call.ts'
import { DefinedFields } from '../../../web/fields/builder/DefinedFields.tsx'
import { reload, useAnswer } from '../../../web/query.ts'
import { useParam } from '../../../web/routes.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { publishPaymentFields, savePaymentFields, showPaymentType } from '../contract.ts'

const HOME = '/municipality/manage/manage-General-payments'

/** Fields of one payment type, with a phone preview. */
export default function FieldsScreen() {
  const typeId = Number(useParam('typeId')) || 1
  return (
    <DefinedFields
      title={<Trans>Fields</Trans>}
      about={({ form }) => (
        <Trans>
          What whoever pays “{form.title}” fills in.{' '}
          <Link className="link" to={`${HOME}?type=${typeId}`}>
            Back to the payment
          </Link>
        </Trans>
      )}
      name={`payment-${typeId}`}
      answer={useAnswer(showPaymentType, { typeId })}
      mayNot={<Trans>You can look at payments, and not change what they ask.</Trans>}
      onSave={(definition, basis) => call(savePaymentFields, { typeId, definition, basis })}
      onPublish={(definition) => call(publishPaymentFields, { typeId, definition })}
      renew={() => reload(showPaymentType)}
      onward={({ status, latestVersion }) =>
        status === 'draft' &&
        latestVersion > 0 && (
          <Notice className="mb-5" title={<Trans>The fields are published, the payment is not open</Trans>}>
            <Trans>
              It is a draft yet, so that nobody can pay it.{' '}
              <Link className="link" to={`${HOME}?type=${typeId}`}>
                Open it for payment
              </Link>
            </Trans>
          </Notice>
        )
      }
    >
      {({ form }) =>
        form.amountKind === 'computed' ? (
          <Trans>
            The amount comes from here: payments, and computed amounts that are charged. The name of whoever pays is
            asked before these fields.
          </Trans>
        ) : (
          <Trans>The name of whoever pays is asked before these fields. Without any field nothing else is asked.</Trans>
        )
      }
    </DefinedFields>
  )
}
