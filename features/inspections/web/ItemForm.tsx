import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { Answers } from '../../../shared/fields/answer.ts'
import { sizeLabel } from '../../../shared/file-types.ts'
import { call } from '../../../web/call.ts'
import { StaffFields } from '../../../web/fields/StaffFields.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { FileUpload } from '../../../web/ui/FileUpload.tsx'
import { TextArea } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { addItemPhoto, answerItem, itemPhotos } from '../contract.ts'
import { type InspectionDetails, type ItemDetails, reloadInspections } from './fresh.ts'

interface ItemFormProps {
  inspection: InspectionDetails
  item: ItemDetails
  onClose: () => void
}

/** What was found at an item: the answers to its fields, a note and photos. */
export function ItemForm({ inspection, item, onClose }: ItemFormProps) {
  const { t } = useLingui()
  // As it was when the form was opened: a photo that is added meanwhile changes nothing of it.
  const [basis] = useState({ answers: item.answers, note: item.note })
  const [note, setNote] = useState(item.note)
  const size = sizeLabel(itemPhotos.mostBytes)
  const save = async (answers: Answers) => {
    const { message } = await call(answerItem, { itemId: item.id, answers: { ...answers }, note, basis })
    toast(message)
    await reloadInspections()
    onClose()
  }
  return (
    <SlideOut
      title={item.title}
      onClose={onClose}
      actions={
        <>
          <Button type="submit" form="inspection-item" look="primary">
            <Trans>Save</Trans>
          </Button>
          <Button onClick={onClose}>
            <Trans>Go back</Trans>
          </Button>
        </>
      }
    >
      <StaffFields
        id="inspection-item"
        definition={{ steps: [{ ...item.step, title: '' }] }}
        start={basis.answers}
        today={inspection.today}
        upload={noFiles}
        draft={`inspection-item:${item.id}`}
        onDone={save}
      >
        <TextArea
          className="mt-4"
          label={t`Note`}
          optional
          rows={3}
          maxLength={1000}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
        <FileUpload
          key={item.photos.length}
          label={t`Photos`}
          low
          takes={addItemPhoto}
          by={itemPhotos}
          fields={{ itemId: String(item.id) }}
          hint={
            <Trans>
              JPG or PNG, at most {itemPhotos.mostFiles} of {size} each. {item.photos.length} there by now.
            </Trans>
          }
          onChange={() => void reloadInspections()}
        />
      </StaffFields>
    </SlideOut>
  )
}

/** Items have photos of their own, so that none of their fields asks for a file. */
const noFiles = () => Promise.reject(new Error('an item asks for no file'))
