import { useLingui } from '@lingui/react/macro'
import type { Editor } from '@tiptap/core'
import { LayoutList, Link as LinkIcon, ListOrdered, type LucideIcon, Redo2, Underline, Undo2 } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Toolbar } from 'react-aria-components/Toolbar'
import { same } from '../../../shared/edits.ts'
import type { RichText } from '../../../shared/rich-text.ts'
import { cx } from '../cx.ts'
import { controlClasses, FieldError, FieldHint, useFieldIds } from '../Field.tsx'
import type { Bound } from '../form.ts'
import { makeEditor } from './rich-text/editor.ts'
import './rich-text/rich-text.css'

interface Props extends Bound<RichText> {
  label: ReactNode
  hint?: ReactNode
  /** Opens the link dialog. The dialog contains a form, so it can't be inside the form of this field. */
  onLink: (editor: Editor) => void
}

/** Editor of formatted text: a toolbar with arrow key navigation, and the text. */
export default function RichTextField({ label, hint, error, value, onChange, onLink }: Props) {
  const { id, control } = useFieldIds({ hint, error })
  const editorRef = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor | null>(null)
  const [, render] = useReducer((round: number) => round + 1, 0)
  const changed = useEffectEvent(onChange)
  const attributes = {
    id,
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-labelledby': `${id}-label`,
    tabindex: '0',
    ...(control['aria-describedby'] && { 'aria-describedby': control['aria-describedby'] }),
    ...(error && { 'aria-invalid': 'true' }),
    class: cx(controlClasses(error), 'rich-text min-h-40'),
  }
  const first = useEffectEvent(() => ({ value, attributes }))
  useEffect(() => {
    if (!editorRef.current) return
    const made = makeEditor({ element: editorRef.current, ...first(), onChange: changed, onMoved: render })
    setEditor(made)
    return () => made.destroy()
  }, [])
  // Applies a change from outside the editor: a save by other staff, or the resolution of an edit conflict.
  useEffect(() => {
    if (editor && !same(editor.getJSON(), value)) editor.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])
  const attributesJson = JSON.stringify(attributes)
  useEffect(() => {
    editor?.setOptions({ editorProps: { ...editor.options.editorProps, attributes: JSON.parse(attributesJson) } })
  }, [editor, attributesJson])
  return (
    <div className="field flex min-w-0 flex-col gap-1">
      <span id={`${id}-label`} className="font-bold text-sm">
        {label}
      </span>
      {hint && <FieldHint id={id}>{hint}</FieldHint>}
      <Tools editor={editor} editorId={id} onLink={() => editor && onLink(editor)} />
      {/* The form finds errors by this attribute, and moves the focus to the element inside. */}
      <div ref={editorRef} aria-labelledby={`${id}-label`} {...(error && { 'data-error': `${id}-error` })} />
      <FieldError id={id}>{error}</FieldError>
    </div>
  )
}

interface ToolsProps {
  editor: Editor | null
  editorId: string
  onLink: () => void
}

function Tools({ editor, editorId, onLink }: ToolsProps) {
  const { t } = useLingui()
  const run = (what: (chain: ReturnType<Editor['chain']>) => ReturnType<Editor['chain']>) => () =>
    void (editor && what(editor.chain()).run())
  const is = (name: string, attributes = {}) => editor?.isActive(name, attributes) ?? false
  return (
    <Toolbar aria-label={t`Formatting`} aria-controls={editorId} className="flex flex-wrap gap-1">
      <Toggle
        symbol={<strong>B</strong>}
        label={t`Bold`}
        on={is('bold')}
        onPress={run((chain) => chain.toggleBold())}
      />
      <Toggle
        symbol={<em className="font-display">I</em>}
        label={t`Italic`}
        on={is('italic')}
        onPress={run((chain) => chain.toggleItalic())}
      />
      <Toggle
        icon={Underline}
        label={t`Underline`}
        on={is('underline')}
        onPress={run((chain) => chain.toggleMark('underline'))}
      />
      <Toggle icon={LinkIcon} label={t`Link`} on={is('link')} onPress={onLink} />
      <Toggle
        symbol={<strong className="font-display">H</strong>}
        label={t`Heading`}
        on={is('heading', { level: 3 })}
        onPress={run((chain) => chain.toggleHeading({ level: 3 }))}
      />
      <Toggle
        symbol={<strong className="font-display text-xs">H</strong>}
        label={t`Small heading`}
        on={is('heading', { level: 4 })}
        onPress={run((chain) => chain.toggleHeading({ level: 4 }))}
      />
      <Toggle
        icon={LayoutList}
        label={t`List`}
        on={is('bulletList')}
        onPress={run((chain) => chain.toggleBulletList())}
      />
      <Toggle
        icon={ListOrdered}
        label={t`Numbered list`}
        on={is('orderedList')}
        onPress={run((chain) => chain.toggleOrderedList())}
      />
      <Tool icon={Undo2} label={t`Undo`} onPress={run((chain) => chain.undo())} />
      <Tool icon={Redo2} label={t`Redo`} onPress={run((chain) => chain.redo())} />
    </Toolbar>
  )
}

const toolClasses = 'inline-grid size-9 cursor-pointer place-items-center rounded-sm text-link hover:bg-tint-2'

interface ToolProps {
  icon: LucideIcon
  label: string
  onPress: () => void
}

const Tool = ({ icon: Icon, label, onPress }: ToolProps) => (
  <AriaButton aria-label={label} onPress={onPress} className={toolClasses}>
    <Icon size={18} aria-hidden />
  </AriaButton>
)

interface ToggleProps extends Omit<ToolProps, 'icon'> {
  icon?: LucideIcon
  symbol?: ReactNode
  on: boolean
}

const Toggle = ({ icon: Icon, symbol, label, on, onPress }: ToggleProps) => (
  <AriaButton
    aria-label={label}
    aria-pressed={on}
    onPress={onPress}
    className={cx(toolClasses, on && 'border border-link bg-tint')}
  >
    {Icon ? <Icon size={18} aria-hidden /> : <span aria-hidden>{symbol}</span>}
  </AriaButton>
)
