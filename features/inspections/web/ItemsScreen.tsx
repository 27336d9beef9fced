import { Trans } from '@lingui/react/macro'
import { call } from '../../../web/call.ts'
import { DefinedFields } from '../../../web/fields/builder/DefinedFields.tsx'
import { useAnswer } from '../../../web/query.ts'
import { useParam } from '../../../web/routes.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { publishTemplateItems, returnTemplate, saveTemplateItems } from '../contract.ts'
import { INSPECTIONS_PATH } from '../rules.ts'
import { reloadTemplates } from './fresh.ts'

/** Editor of a template's items. Each step of the fields is a checklist item. */
export default function ItemsScreen() {
  const templateId = Number(useParam('templateId')) || 1
  return (
    <DefinedFields
      title={<Trans>Items of an Inspection</Trans>}
      about={({ form }) => (
        <Trans>
          What “{form.name}” looks at.{' '}
          <Link className="link" to={`${INSPECTIONS_PATH}?tab=templates&template=${templateId}`}>
            Back to the template
          </Link>
        </Trans>
      )}
      name={`inspection-${templateId}`}
      answer={useAnswer(returnTemplate, { templateId })}
      mayNot={<Trans>You can look at inspections, and not change what they look at.</Trans>}
      heading={<Trans>What is looked at</Trans>}
      onSave={(definition, basis) => call(saveTemplateItems, { templateId, definition, basis })}
      onPublish={(definition) => call(publishTemplateItems, { templateId, definition })}
      renew={reloadTemplates}
    >
      {() => (
        <Trans>
          Each step is an item: its title is what it is called, its fields are what is written down. Pass, fail, a note
          and photos belong to every item by themselves. Inspections that are scheduled keep the version that they were
          made by.
        </Trans>
      )}
    </DefinedFields>
  )
}
