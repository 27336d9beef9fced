import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { RequestInputOf } from '../../../shared/endpoint.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import { StaffFields } from '../../../web/fields/StaffFields.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { TextArea } from '../../../web/ui/TextField.tsx'
import type { answerItem } from '../contract.ts'
import type { ItemDetails } from './fresh.ts'
import { Text } from '../../../web/ui/Text.tsx'

interface AnswerFormProps {
  item: ItemDetails
  today: string
  draft: string
  onSave: (body: RequestInputOf<typeof answerItem>) => Promise<void>
  onClose: () => void
  children?: ReactNode
}

/** Form for an item's answers and note, used in the office and in the field. */
export function AnswerForm({ item, today, draft, onSave, onClose, children }: AnswerFormProps) {
  const { t } = useLingui()
  // Values when the form opened. Photos added later do not change them.
  const [basis] = useState({ answers: item.answers, note: item.note })
  const [note, setNote] = useState(item.note)
  const save = async (answers: Answers) => {
    await onSave({ itemId: item.id, answers: { ...answers }, note, basis })
    onClose()
  }
  return (
    <SlideOut
      title={item.title}
      onClose={onClose}
      actions={
        <>
          <Button type="submit" form="inspection-item" variant="primary">
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
        today={today}
        upload={noFiles}
        draft={draft}
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
        <Text>{children}</Text>
      </StaffFields>
    </SlideOut>
  )
}

/** Checklist items store their photos separately, so their forms have no file fields. */
const noFiles = () => Promise.reject(new Error('an item asks for no file'))
