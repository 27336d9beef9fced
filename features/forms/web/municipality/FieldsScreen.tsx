import { Trans } from '@lingui/react/macro'
import { call } from '../../../../web/call.ts'
import { DefinedFields } from '../../../../web/fields/builder/DefinedFields.tsx'
import { reload, useAnswer } from '../../../../web/query.ts'
import { useParam } from '../../../../web/routes.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { publishFormFields, saveFormFields, showFormType } from '../../contract.ts'

const HOME = '/municipality/manage/manage-forms-and-docs'

/** What a form asks, with how a phone shows it. */
export default function FieldsScreen() {
  const typeId = Number(useParam('typeId')) || 1
  return (
    <DefinedFields
      title={<Trans>Fields of a Form</Trans>}
      about={({ form }) => (
        <Trans>
          What whoever fills in “{form.title}” is asked.{' '}
          <Link className="link" to={`${HOME}?form=${typeId}`}>
            Back to the form
          </Link>
        </Trans>
      )}
      name={`form-${typeId}`}
      answer={useAnswer(showFormType, { typeId })}
      mayNot={<Trans>You can look at forms, and not change what they ask.</Trans>}
      onSave={(definition, basis) => call(saveFormFields, { typeId, definition, basis })}
      onPublish={(definition) => call(publishFormFields, { typeId, definition })}
      renew={() => reload(showFormType)}
    >
      {({ form }) =>
        form.feeKind === 'computed' ? (
          <Trans>
            The fee comes from here: payments, and computed amounts that are charged. What was sent keeps the version
            that it was sent by; what was only begun goes on in the new one and says what changed.
          </Trans>
        ) : (
          <Trans>
            What was sent keeps the version that it was sent by; what was only begun goes on in the new one and says
            what changed. Name, email and phone are asked of everybody at the end.
          </Trans>
        )
      }
    </DefinedFields>
  )
}
