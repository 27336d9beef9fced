import { Trans } from '@lingui/react/macro'
import { call } from '../../../../web/call.ts'
import { DefinedFields } from '../../../../web/fields/builder/DefinedFields.tsx'
import { reload, useResponse } from '../../../../web/query.ts'
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
      title={<Trans>Form Fields</Trans>}
      about={({ form }) => (
        <Trans>
          Questions in “{form.title}”.{' '}
          <Link className="link" to={`${HOME}?form=${typeId}`}>
            Back to the form
          </Link>
        </Trans>
      )}
      name={`form-${typeId}`}
      response={useResponse(showFormType, { typeId })}
      mayNot={<Trans>You can view forms, but you cannot change their questions.</Trans>}
      onSave={(definition, basis) => call(saveFormFields, { typeId, definition, basis })}
      onPublish={(definition) => call(publishFormFields, { typeId, definition })}
      refresh={() => reload(showFormType)}
      onward={({ id, status, latestVersion, can }) =>
        status === 'draft' &&
        latestVersion > 0 && (
          <Notice className="mb-5" title={<Trans>The fields are published, but the form is not</Trans>}>
            <Trans>The form is still a draft, so no one can fill it out.</Trans>
            <StatusButtons id={id} can={can} />
          </Notice>
        )
      }
    >
      {({ form }) =>
        form.feeKind === 'computed' ? (
          <Trans>
            Payment fields and computed amounts set the fee. Each submission keeps the version it was submitted with.
            Drafts move to the new version and show the changes.
          </Trans>
        ) : (
          <Trans>
            Each submission keeps the version it was submitted with. Drafts move to the new version and show the
            changes. The form asks everyone for name, email and phone at the end.
          </Trans>
        )
      }
    </DefinedFields>
  )
}
