import { copyRow } from '../../../../web/copy-row.ts'
import { setQuery } from '../../../../web/go.ts'
import { copyFormType, formTypeChoices } from '../../contract.ts'
import { formTypes } from '../../list.ts'

/** Copies a form and opens the settings of the copy. */
export const copyForm = copyRow(copyFormType, {
  lists: [formTypes.call, formTypeChoices],
  open: (id) => setQuery({ form: String(id), work: 'edit' }),
})
