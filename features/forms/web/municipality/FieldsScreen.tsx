import { Trans } from '@lingui/react/macro'
import { call } from '../../../../web/call.ts'
import { DefinedFields } from '../../../../web/fields/builder/DefinedFields.tsx'
import { reload, useAnswer } from '../../../../web/query.ts'
import { useParam } from '../../../../web/routes.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { publishFormFields, saveFormFields, showFormType } from '../../contract.ts'
import { StatusButtons } from './StatusButtons.tsx'

const HOME = '/municipality/manage/manage-forms-and-docs'

/** Fields of a form, with a phone preview. */
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
      onward={({ id, status, latestVersion, can }) =>
        status === 'draft' &&
        latestVersion > 0 && (
          <Notice className="mb-5" title={<Trans>The fields are published, the form is not</Trans>}>
            <Trans>It is a draft yet, so that nobody can fill it in.</Trans>
            <StatusButtons id={id} can={can} />
          </Notice>
        )
      }
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
