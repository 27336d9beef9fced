import { Trans } from '@lingui/react/macro'
import { call } from '../../../web/call.ts'
import { DefinedFields } from '../../../web/fields/builder/DefinedFields.tsx'
import { reload, useResponse } from '../../../web/query.ts'
import { useParam } from '../../../web/routes.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { publishPaymentFields, savePaymentFields, showPaymentType } from '../contract.ts'

const HOME = '/municipality/manage/manage-General-payments'

/** Editor for the fields of one payment type. */
export default function FieldsScreen() {
  const typeId = Number(useParam('typeId')) || 1
  return (
    <DefinedFields
      title={<Trans>Fields</Trans>}
      about={({ form }) => (
        <Trans>
          Fields that payers fill out for “{form.title}”.{' '}
          <Link className="link" to={`${HOME}?type=${typeId}`}>
            Back to the payment type
          </Link>
        </Trans>
      )}
      name={`payment-${typeId}`}
      response={useResponse(showPaymentType, { typeId })}
      mayNot={<Trans>You can view payment types but not change their fields.</Trans>}
      onSave={(definition, basis) => call(savePaymentFields, { typeId, definition, basis })}
      onPublish={(definition) => call(publishPaymentFields, { typeId, definition })}
      refresh={() => reload(showPaymentType)}
      onward={({ status, latestVersion }) =>
        status === 'draft' &&
        latestVersion > 0 && (
          <Notice
            className="mb-5"
            title={<Trans>The fields are published, but the payment type is not open for payment</Trans>}
          >
            <Trans>
              This payment type is still a draft, so no one can pay.{' '}
              <Link className="link" to={`${HOME}?type=${typeId}`}>
                Open the payment type
              </Link>
            </Trans>
          </Notice>
        )
      }
    >
      {({ form }) =>
        form.amountKind === 'computed' ? (
          <Trans>
            The amount is the total of all payment fields and of all computed amounts marked “Charge this amount”.
            Payers enter their name before these fields.
          </Trans>
        ) : (
          <Trans>Payers enter their name before these fields. If you add no fields, they enter nothing else.</Trans>
        )
      }
    </DefinedFields>
  )
}
