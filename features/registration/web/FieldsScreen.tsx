import { Trans } from '@lingui/react/macro'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { translated } from '../../../shared/words.ts'
import { call } from '../../../web/call.ts'
import { DefinedFields } from '../../../web/fields/builder/DefinedFields.tsx'
import { reload, useAnswer } from '../../../web/query.ts'
import { useParam } from '../../../web/routes.tsx'
import { Answered } from '../../../web/ui/Answered.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { publishRegistrationFields, registrationFields, saveRegistrationFields } from '../contract.ts'
import { type Kind, kinds, REPORT_PATH } from '../rules.ts'

/** What is asked of whoever registers one kind of thing. */
export default function FieldsScreen() {
  const asked = Number(useParam('kind'))
  const kind = (asked in kinds ? asked : 1) as Kind
  const answer = useAnswer(registrationFields, { kind })
  return (
    <>
      <PageHead title={<Trans>Questions of a registration</Trans>}>
        <Trans>
          {translated(kinds[kind])}.{' '}
          <Link className="link" to={REPORT_PATH}>
            Back to the registrations
          </Link>
        </Trans>
      </PageHead>
      <Answered answer={answer} loading={<Trans>Loading the fields</Trans>}>
        {(fields) => <Fields key={kind} fields={fields} />}
      </Answered>
    </>
  )
}

function Fields({ fields }: { fields: AnswerOf<typeof registrationFields> }) {
  const { kind, can } = fields
  return (
    <DefinedFields
      name={`registration-${kind}`}
      of={fields}
      mayNot={can['edit'] ? null : <Trans>You can look at registrations, and not change what they ask.</Trans>}
      title={<Trans>What is asked</Trans>}
      onSave={(definition, basis) => call(saveRegistrationFields, { kind, definition, basis })}
      onPublish={(definition) => call(publishRegistrationFields, { kind, definition })}
      renew={() => reload(registrationFields)}
    >
      <Trans>
        The address is asked before these fields. Fields that first responders and lists read have to stay; add your own
        wherever you like. What is registered already keeps what it was asked.
      </Trans>
    </DefinedFields>
  )
}
