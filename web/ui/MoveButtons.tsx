import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { StateMachine, StateName } from '../../shared/machine.ts'
import { translated } from '../../shared/messages.ts'
import { messageOf } from '../call.ts'
import { Button } from './Button.tsx'
import { ConfirmDialog } from './Dialog.tsx'
import { Refusal } from './Notice.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'
import { Text } from './Text.tsx'

interface MoveButtonsProps<E extends string, B extends E> {
  of: StateMachine<StateName, E, B>
  /** Actions that the server currently permits to this person. */
  can: Readonly<Record<B, boolean>>
  /** Main action of the page. */
  primary?: B
  /** Runs the action. An error is shown above the buttons, or in the dialog that asks for the reason. */
  onPress: (event: B, reason?: string) => Promise<unknown>
  /** Name of the record for screen readers, if several records have these buttons. */
  about?: string
  /**
   * Texts of the reason dialog and the key of its draft. Needed if an action of the state machine requires a reason.
   */
  dialog?: { text?: (event: B) => ReactNode; hint?: string; draft: string }
  /** Returns additional confirmation text about an action's effect, such as the remaining open work. */
  effect?: (event: B) => ReactNode
}

/** Buttons for a record's state changes, one for each change that the server permits to this person. */
export function MoveButtons<E extends string, B extends E>(props: MoveButtonsProps<E, B>) {
  const { of, can, primary, onPress, about, dialog, effect } = props
  const [submittedEvent, setSubmittedEvent] = useState<B | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  /** Action with an open reason dialog, and a function that closes the dialog. Null if the dialog is closed. */
  const [requested, setRequested] = useState<{ event: B; close: () => void } | null>(null)
  const [confirming, setConfirming] = useState<{ event: B; end: (isMeant: boolean) => void } | null>(null)
  const container = useRef<HTMLDivElement>(null)
  const button = useRef<Element>(null)
  const isMeant = async (event: B): Promise<boolean> => {
    if (!of.steps[event].confirm) return true
    const meant = await new Promise<boolean>((end) => setConfirming({ event, end }))
    setConfirming(null)
    return meant
  }
  const handleClick = async (event: B) => {
    button.current = document.activeElement
    setSubmittedEvent(event)
    setRefusal(null)
    try {
      if (dialog && of.steps[event].reason) await new Promise<void>((close) => setRequested({ event, close }))
      else if (await isMeant(event)) await onPress(event)
    } catch (error) {
      setRefusal(messageOf(error))
    }
    setRequested(null)
    setSubmittedEvent(null)
  }
  // The page usually removes the pressed button. The focus then moves to this container, unless another element already
  // has it.
  useLayoutEffect(() => {
    if (!button.current || button.current.isConnected) return
    button.current = null
    if (document.activeElement === document.body) container.current?.focus()
  })
  return (
    <div ref={container} tabIndex={-1} className="mt-5 flex flex-wrap gap-2 outline-none empty:hidden">
      <Refusal className="w-full">{refusal}</Refusal>
      {of.buttons
        .filter((event) => can[event])
        .map((event) => (
          <Button
            key={event}
            {...(event === primary ? { variant: 'primary' } : { size: 'small' })}
            disabled={submittedEvent !== null && submittedEvent !== event}
            busy={submittedEvent === event}
            onClick={() => void handleClick(event)}
          >
            <Text>{translated(of.steps[event].label ?? '')}</Text>
            {about && (
              <span className="spoken">
                {' '}
                <Text>{about}</Text>
              </span>
            )}
          </Button>
        ))}
      {confirming && (
        <ConfirmDialog
          title={`${translated(of.steps[confirming.event].label ?? '')}?`}
          confirmLabel={translated(of.steps[confirming.event].label ?? '')}
          onConfirm={() => confirming.end(true)}
          onClose={() => confirming.end(false)}
        >
          <p>{translated(of.steps[confirming.event].confirm ?? '')}</p>
          <Text>{effect?.(confirming.event)}</Text>
        </ConfirmDialog>
      )}
      {dialog && requested && (
        <ReasonDialog
          title={translated(of.steps[requested.event].label ?? '')}
          text={dialog.text?.(requested.event)}
          hint={dialog.hint}
          draft={`${dialog.draft}:${requested.event}`}
          onReason={(reason) => onPress(requested.event, reason)}
          onClose={requested.close}
        />
      )}
    </div>
  )
}
