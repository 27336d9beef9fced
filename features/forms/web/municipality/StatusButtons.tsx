import { call } from '../../../../web/call.ts'
import { reload } from '../../../../web/query.ts'
import { MoveButtons } from '../../../../web/ui/MoveButtons.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { changeFormType, showFormType } from '../../contract.ts'
import { formTypes } from '../../list.ts'
import { formTypeStates } from '../../states.ts'

export const StatusButtons = ({ id, can }: { id: number; can: Readonly<Record<string, boolean>> }) => (
  <MoveButtons
    of={formTypeStates}
    can={{ publish: can['publish'] === true, close: can['close'] === true }}
    onPress={async (event) => {
      toast((await call(changeFormType, { typeId: id, event })).message)
      await Promise.all([reload(formTypes.call), reload(showFormType)])
    }}
  />
)
