import { Trans } from '@lingui/react/macro'
import { call } from '../../../../web/call.ts'
import { DefinedFields } from '../../../../web/fields/builder/DefinedFields.tsx'
import { reload, useResponse } from '../../../../web/query.ts'
import { useParam } from '../../../../web/routes.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { categoryFields, publishCategoryFields, saveCategoryFields } from '../../contract-settings.ts'

/** Form builder for the questions of a category, with a phone preview. */
export default function CategoryFieldsScreen() {
  const categoryId = Number(useParam('categoryId')) || 1
  return (
    <DefinedFields
      title={<Trans>Questions</Trans>}
      about={({ name }) => (
        <Trans>
          Additional questions for “{name}” reports.{' '}
          <Link className="link" to="/municipality/manage/customer-communication/categories">
            Back to the categories
          </Link>
        </Trans>
      )}
      name={`request-category-${categoryId}`}
      response={useResponse(categoryFields, { categoryId })}
      mayNot={<Trans>You can view categories but not change their questions.</Trans>}
      onSave={(definition, basis) => call(saveCategoryFields, { categoryId, definition, basis })}
      onPublish={(definition) => call(publishCategoryFields, { categoryId, definition })}
      refresh={() => reload(categoryFields)}
    >
      {() => (
        <Trans>
          Every report asks for a location, a description, photos and contact details. Add fields to ask for more.
        </Trans>
      )}
    </DefinedFields>
  )
}
