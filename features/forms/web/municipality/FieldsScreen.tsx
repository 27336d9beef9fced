import { Trans } from '@lingui/react/macro'
import type { AnswerOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { DefinedFields } from '../../../../web/fields/builder/DefinedFields.tsx'
import { reload, useAnswer } from '../../../../web/query.ts'
import { useParam } from '../../../../web/routes.tsx'
import { Answered } from '../../../../web/ui/Answered.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { PageHead } from '../../../../web/ui/Page.tsx'
import { publishFormFields, saveFormFields, showFormType } from '../../contract.ts'

const HOME = '/municipality/manage/manage-forms-and-docs'

/** What a form asks, with how a phone shows it. */
export default function FieldsScreen() {
  const typeId = Number(useParam('typeId')) || 1
  const answer = useAnswer(showFormType, { typeId })
  return (
    <>
      <PageHead title={<Trans>Fields of a Form</Trans>}>
        {answer.data && (
          <Trans>
            What whoever fills in “{answer.data.form.title}” is asked.{' '}
            <Link className="link" to={`${HOME}?form=${typeId}`}>
              Back to the form
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

function Fields({ type }: { type: AnswerOf<typeof showFormType> }) {
  const { id: typeId, form, can } = type
  return (
    <DefinedFields
      name={`form-${typeId}`}
      of={type}
      mayNot={can['edit'] ? null : <Trans>You can look at forms, and not change what they ask.</Trans>}
      title={<Trans>What is asked</Trans>}
      onSave={(definition, basis) => call(saveFormFields, { typeId, definition, basis })}
      onPublish={(definition) => call(publishFormFields, { typeId, definition })}
      renew={() => reload(showFormType)}
    >
      {form.feeKind === 'computed' ? (
        <Trans>
          The fee comes from here: payments, and computed amounts that are charged. What was sent keeps the version that
          it was sent by; what was only begun goes on in the new one and says what changed.
        </Trans>
      ) : (
        <Trans>
          What was sent keeps the version that it was sent by; what was only begun goes on in the new one and says what
          changed. Name, email and phone are asked of everybody at the end.
        </Trans>
      )}
    </DefinedFields>
  )
}
