import { Trans } from '@lingui/react/macro'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { DefinedFields } from '../../../web/fields/builder/DefinedFields.tsx'
import { useAnswer } from '../../../web/query.ts'
import { useParam } from '../../../web/routes.tsx'
import { Answered } from '../../../web/ui/Answered.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { publishTemplateItems, returnTemplate, saveTemplateItems } from '../contract.ts'
import { INSPECTIONS_PATH } from '../rules.ts'
import { reloadTemplates } from './fresh.ts'

/** What an inspection looks at: each step of the fields is an item of its checklist. */
export default function ItemsScreen() {
  const templateId = Number(useParam('templateId')) || 1
  const answer = useAnswer(returnTemplate, { templateId })
  return (
    <>
      <PageHead title={<Trans>Items of an Inspection</Trans>}>
        {answer.data && (
          <Trans>
            What “{answer.data.form.name}” looks at.{' '}
            <Link className="link" to={`${INSPECTIONS_PATH}?tab=templates&template=${templateId}`}>
              Back to the template
            </Link>
          </Trans>
        )}
      </PageHead>
      <Answered answer={answer} loading={<Trans>Loading the items</Trans>}>
        {(template) => <Items key={template.id} template={template} />}
      </Answered>
    </>
  )
}

const Items = ({ template }: { template: AnswerOf<typeof returnTemplate> }) => (
  <DefinedFields
    name={`inspection-${template.id}`}
    of={template}
    mayNot={template.can.edit ? null : <Trans>You can look at inspections, and not change what they look at.</Trans>}
    title={<Trans>What is looked at</Trans>}
    onSave={(definition, basis) => call(saveTemplateItems, { templateId: template.id, definition, basis })}
    onPublish={(definition) => call(publishTemplateItems, { templateId: template.id, definition })}
    renew={reloadTemplates}
  >
    <Trans>
      Each step is an item: its title is what it is called, its fields are what is written down. Pass, fail, a note and
      photos belong to every item by themselves. Inspections that are scheduled keep the version that they were made by.
    </Trans>
  </DefinedFields>
)
