import { Trans } from '@lingui/react/macro'
import { call } from '../../../web/call.ts'
import { DefinedFields } from '../../../web/fields/builder/DefinedFields.tsx'
import { useResponse } from '../../../web/query.ts'
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
      title={<Trans>Resource Questions</Trans>}
      about={({ name }) => (
        <Trans>
          Questions and agreement for renters of “{name}”.{' '}
          <Link className="link" to={`${STAFF_PATH}?of=resources&rental=${resourceId}`}>
            Back to the resource
          </Link>
        </Trans>
      )}
      name={`rental-${resourceId}`}
      response={useResponse(rentalFields, { resourceId })}
      mayNot={<Trans>You can view rentals but cannot change their questions.</Trans>}
      onSave={(definition, basis) => call(saveRentalFields, { resourceId, definition, basis })}
      onPublish={(definition) => call(publishRentalFields, { resourceId, definition })}
      refresh={reloadRentals}
      onward={({ hasQuestions, latestVersion }) =>
        !hasQuestions &&
        latestVersion > 0 && (
          <Notice className="mb-5" title={<Trans>The questions are turned off</Trans>}>
            <Trans>Renters do not currently see these questions. Turn them on in the resource settings.</Trans>
          </Notice>
        )
      }
    >
      {() => (
        <Trans>
          All renters first enter the purpose, group size and phone number. A text block that has a signature field
          serves as the agreement. Renters who have already answered keep their version and are not asked again.
        </Trans>
      )}
    </DefinedFields>
  )
}
