import { Trans } from '@lingui/react/macro'
import { call } from '../../../web/call.ts'
import { DefinedFields } from '../../../web/fields/builder/DefinedFields.tsx'
import { useResponse } from '../../../web/query.ts'
import { useParam } from '../../../web/routes.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { publishTemplateItems, returnTemplate, saveTemplateItems } from '../contract.ts'
import { INSPECTIONS_PATH } from '../rules.ts'
import { reloadTemplates } from './fresh.ts'

/** Editor for a template's items. Each step of the form is one checklist item. */
export default function ItemsScreen() {
  const templateId = Number(useParam('templateId')) || 1
  return (
    <DefinedFields
      title={<Trans>Inspection Items</Trans>}
      about={({ form }) => (
        <Trans>
          Checklist items for “{form.name}”.{' '}
          <Link className="link" to={`${INSPECTIONS_PATH}?tab=templates&template=${templateId}`}>
            Back to the template
          </Link>
        </Trans>
      )}
      name={`inspection-${templateId}`}
      response={useResponse(returnTemplate, { templateId })}
      mayNot={<Trans>You can view inspections but not change their items.</Trans>}
      heading={<Trans>Checklist items</Trans>}
      onSave={(definition, basis) => call(saveTemplateItems, { templateId, definition, basis })}
      onPublish={(definition) => call(publishTemplateItems, { templateId, definition })}
      refresh={reloadTemplates}
    >
      {() => (
        <Trans>
          Each step is one checklist item. The step title is the item name, and the fields are its questions. Staff can
          also pass or fail each item and add a note and photos. Inspections that are already scheduled keep their
          current version.
        </Trans>
      )}
    </DefinedFields>
  )
}
