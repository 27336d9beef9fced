import { Trans } from '@lingui/react/macro'
import type { AnswerOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { DefinedFields } from '../../../../web/fields/builder/DefinedFields.tsx'
import { reload, useAnswer } from '../../../../web/query.ts'
import { useParam } from '../../../../web/routes.tsx'
import { Answered } from '../../../../web/ui/Answered.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { PageHead } from '../../../../web/ui/Page.tsx'
import { categoryFields, publishCategoryFields, saveCategoryFields } from '../../contract-settings.ts'

/** What is asked of requests of a category, with how a phone shows it. */
export default function CategoryFieldsScreen() {
  const categoryId = Number(useParam('categoryId')) || 1
  const answer = useAnswer(categoryFields, { categoryId })
  return (
    <>
      <PageHead title={<Trans>Questions</Trans>}>
        {answer.data && (
          <Trans>
            What whoever reports “{answer.data.name}” is asked besides.{' '}
            <Link className="link" to="/municipality/manage/customer-communication/categories">
              Back to the categories
            </Link>
          </Trans>
        )}
      </PageHead>
      <Answered answer={answer} loading={<Trans>Loading the questions</Trans>}>
        {(category) => <Questions key={categoryId} categoryId={categoryId} category={category} />}
      </Answered>
    </>
  )
}

interface Props {
  categoryId: number
  category: AnswerOf<typeof categoryFields>
}

const Questions = ({ categoryId, category }: Props) => (
  <DefinedFields
    name={`request-category-${categoryId}`}
    of={category}
    mayNot={category.can.edit ? null : <Trans>You can look at categories, and not change what they ask.</Trans>}
    title={<Trans>What is asked</Trans>}
    onSave={(definition, basis) => call(saveCategoryFields, { categoryId, definition, basis })}
    onPublish={(definition) => call(publishCategoryFields, { categoryId, definition })}
    renew={() => reload(categoryFields)}
  >
    <Trans>
      Place, description, photos and contact are asked of everybody. Without any field here nothing else is asked.
    </Trans>
  </DefinedFields>
)
