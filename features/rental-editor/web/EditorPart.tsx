import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { cx } from '../../../web/ui/cx.ts'
import { Text } from '../../../web/ui/Text.tsx'
import type { EditorForm, ResourceInput } from './resource-form.ts'

interface EditorPartProps {
  form: EditorForm
  title: ReactNode
  /** The settings of the part in words, visible while the part is closed. */
  summary: readonly string[]
  /** Form fields of the part. The part opens if one of them has an error. */
  names: readonly (keyof ResourceInput)[]
  startsOpen?: boolean
  children: ReactNode
}

/** Part of the editor with a heading that opens and closes the part. Closed fields keep their values. */
export function EditorPart({ form, title, summary, names, startsOpen = false, children }: EditorPartProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(startsOpen)
  const { errors } = form.formState
  const hasError = names.some((name) => name in errors)
  const [hadError, setHadError] = useState(false)
  if (hasError !== hadError) {
    setHadError(hasError)
    if (hasError) setOpen(true)
  }
  return (
    <section aria-labelledby={id} className="border-line border-t last:border-b">
      <h3 id={id} className="text-base">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={`${id}-fields`}
          aria-describedby={`${id}-summary`}
          onClick={() => setOpen(!isOpen)}
          className="focus-inside flex w-full items-center justify-between gap-3 py-3 text-start font-bold text-link"
        >
          <Text>{title}</Text>
          <ChevronDown
            size={20}
            aria-hidden
            className={cx('shrink-0 transition-transform motion-reduce:transition-none', isOpen && 'rotate-180')}
          />
        </button>
      </h3>
      <ul id={`${id}-summary`} className={cx('pb-3 text-muted text-sm wrap-anywhere', isOpen && 'spoken')}>
        {summary.map((line, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- two seasons may be equal while staff type
          <li key={at}>{line}</li>
        ))}
      </ul>
      <div id={`${id}-fields`} hidden={!isOpen} className={cx(isOpen && 'flex flex-col gap-5 pb-6')}>
        {children}
      </div>
    </section>
  )
}
