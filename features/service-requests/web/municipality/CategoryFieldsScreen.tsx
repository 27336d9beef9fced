import { Trans } from '@lingui/react/macro'
import type { AnswerOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import Builder from '../../../../web/fields/builder/Builder.tsx'
import { reload, useAnswer } from '../../../../web/query.ts'
import { useParam } from '../../../../web/routes.tsx'
import { Answered } from '../../../../web/ui/Answered.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
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

function Questions({ categoryId, category: { draft, latestVersion, today, can } }: Props) {
  if (!can.edit)
    return (
      <Notice>
        <Trans>You can look at categories, and not change what they ask.</Trans>
      </Notice>
    )
  return (
    <>
      <h2 className="mb-2 text-h3">
        <Trans>What is asked</Trans>
      </h2>
      <p className="mb-4 max-w-text text-muted">
        <Trans>
          Place, description, photos and contact are asked of everybody. Without any field here nothing else is asked.
        </Trans>
      </p>
      <Builder
        name={`request-category-${categoryId}`}
        kept={draft}
        latestVersion={latestVersion}
        today={today}
        onSave={async (definition, basis) => {
          const saved = await call(saveCategoryFields, { categoryId, definition, basis })
          await reload(categoryFields)
          return saved.definition
        }}
        onPublish={async (definition) => {
          const { version } = await call(publishCategoryFields, { categoryId, definition })
          await reload(categoryFields)
          return version
        }}
      />
    </>
  )
}
