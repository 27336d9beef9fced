import { Trans } from '@lingui/react/macro'
import { call } from '../../../web/call.ts'
import { DefinedFields } from '../../../web/fields/builder/DefinedFields.tsx'
import { useAnswer } from '../../../web/query.ts'
import { useParam } from '../../../web/routes.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { publishRentalFields, rentalFields, saveRentalFields } from '../contract-agreements.ts'
import { STAFF_PATH } from '../../rentals/rules.ts'
import { reloadRentals } from './fresh.ts'

/** Form fields and agreement of a resource, edited by staff. */
export default function FieldsScreen() {
  const resourceId = Number(useParam('resourceId')) || 1
  return (
    <DefinedFields
      title={<Trans>Questions of a Resource</Trans>}
      about={({ name }) => (
        <Trans>
          What whoever reserves “{name}” answers and signs.{' '}
          <Link className="link" to={`${STAFF_PATH}?of=resources&rental=${resourceId}`}>
            Back to the resource
          </Link>
        </Trans>
      )}
      name={`rental-${resourceId}`}
      answer={useAnswer(rentalFields, { resourceId })}
      mayNot={<Trans>You can look at rentals, and not change what they ask.</Trans>}
      onSave={(definition, basis) => call(saveRentalFields, { resourceId, definition, basis })}
      onPublish={(definition) => call(publishRentalFields, { resourceId, definition })}
      renew={reloadRentals}
      onward={({ asksQuestions, latestVersion }) =>
        !asksQuestions &&
        latestVersion > 0 && (
          <Notice className="mb-5" title={<Trans>The questions rest</Trans>}>
            <Trans>Nobody is asked them at present. Turn them on in the resource.</Trans>
          </Notice>
        )
      }
    >
      {() => (
        <Trans>
          Purpose, people and phone are asked of everybody before. A text to be read with a signature under it is the
          agreement. Whoever answered keeps the version that they answered; a new one asks them nothing again.
        </Trans>
      )}
    </DefinedFields>
  )
}
