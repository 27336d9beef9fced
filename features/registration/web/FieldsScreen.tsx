import { Trans } from '@lingui/react/macro'
import { translated } from '../../../shared/messages.ts'
import { call } from '../../../web/call.ts'
import { DefinedFields } from '../../../web/fields/builder/DefinedFields.tsx'
import { reload, useResponse } from '../../../web/query.ts'
import { useParam } from '../../../web/routes.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { publishRegistrationFields, registrationFields, saveRegistrationFields } from '../contract.ts'
import { type Kind, kinds, REPORT_PATH } from '../rules.ts'

/** Screen to edit the questions of one kind of registration. */
export default function FieldsScreen() {
  const kindParam = Number(useParam('kind'))
  const kind = (kindParam in kinds ? kindParam : 1) as Kind
  return (
    <DefinedFields
      title={<Trans>Registration Questions</Trans>}
      about={() => (
        <Trans>
          {translated(kinds[kind])}.{' '}
          <Link className="link" to={REPORT_PATH}>
            Back to the registrations
          </Link>
        </Trans>
      )}
      name={`registration-${kind}`}
      response={useResponse(registrationFields, { kind })}
      mayNot={<Trans>You can view registrations but cannot change their questions.</Trans>}
      onSave={(definition, basis) => call(saveRegistrationFields, { kind, definition, basis })}
      onPublish={(definition) => call(publishRegistrationFields, { kind, definition })}
      refresh={() => reload(registrationFields)}
    >
      {() => (
        <Trans>
          Residents enter the address before these fields. Keep the fields that first responders and lists use. You can
          add your own fields anywhere. Existing registrations keep their original questions.
        </Trans>
      )}
    </DefinedFields>
  )
}
