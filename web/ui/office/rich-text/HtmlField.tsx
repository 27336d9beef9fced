import { Trans } from '@lingui/react/macro'
import type { Editor } from '@tiptap/core'
import { type ReactNode, useState } from 'react'
import { Button } from '../../Button.tsx'
import type { Bound, FieldBinding } from '../../form.ts'
import { Notice } from '../../Notice.tsx'
import { TextArea } from '../../TextField.tsx'
import RichText from '../RichText.tsx'
import { fits, fromHtml, toHtml } from './html.ts'

interface Props extends Bound<string> {
  label: string
  hint?: ReactNode
  /** Props of the text area that shows the HTML itself. */
  source: FieldBinding
  onLink: (editor: Editor) => void
}

/**
 * Editor of a text that is stored as HTML. If the editor lacks some formatting of the HTML, the field shows the HTML
 * itself.
 */
export default function HtmlField({ source, ...props }: Props) {
  const { value, onChange } = props
  const [isSource, setIsSource] = useState(false)
  const [content, setContent] = useState(() => readHtml(value))
  // Reads the HTML again after a change from outside the editor: a save by other staff, or a discarded draft.
  if (content.html !== value && !isSource) setContent(readHtml(value))
  if (!content.fits && !isSource) setIsSource(true)
  const openEditor = () => {
    const text = fromHtml(value)
    const html = toHtml(text)
    setContent({ html, text, fits: true })
    setIsSource(false)
    onChange(html)
  }
  if (isSource) return <HtmlSource {...props} source={source} onEditor={openEditor} />
  return (
    <RichText
      {...props}
      value={content.text}
      onChange={(text) => {
        const html = toHtml(text)
        setContent({ html, text, fits: true })
        onChange(html)
      }}
    />
  )
}

const readHtml = (html: string) => ({ html, text: fromHtml(html), fits: fits(html) })

const HtmlSource = ({ label, hint, source, onEditor }: Omit<Props, 'onLink'> & { onEditor: () => void }) => (
  <div className="flex flex-col gap-3">
    <Notice
      aside={
        <Button size="small" onClick={onEditor}>
          <Trans>Open in editor</Trans>
        </Button>
      }
    >
      <Trans>
        This text has formatting that the editor lacks, so you see its HTML. The editor removes that formatting.
      </Trans>
    </Notice>
    <TextArea label={label} hint={hint} optional rows={10} spellCheck {...source} />
  </div>
)
