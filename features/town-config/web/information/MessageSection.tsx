import { Trans, useLingui } from '@lingui/react/macro'
import { Bold, Italic, Link2, List as ListIcon, type LucideIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useResponse } from '../../../../web/query.ts'
import { IconButton } from '../../../../web/ui/Button.tsx'
import { TextArea } from '../../../../web/ui/TextField.tsx'
import { previewMessage } from '../../contract.ts'
import { labelOf } from '../../report.ts'
import { Text } from './fields.tsx'
import { type SectionFields, SectionForm, type SectionProps } from './SectionForm.tsx'

const EDITOR = 'site-wide-message'

/** Section for the site-wide message (spec 2.8): a line under the company's name, and a message on the landing page. */
export function MessageSection({ companyConfig }: SectionProps) {
  const { t } = useLingui()
  return (
    <SectionForm
      companyConfig={companyConfig}
      section="message"
      title={<Trans>Message to residents</Trans>}
      aside={(form) => <MessagePreview form={form} companyId={companyConfig.company.id} />}
    >
      {(form) => (
        <>
          <Text form={form} name="tagline" hint={t`Shown as one line on the landing page.`} optional />
          <div className="flex flex-col gap-2">
            <Tools form={form} />
            <TextArea
              id={EDITOR}
              label={labelOf('site_wide_message')}
              hint={t`Enter HTML text. You can use bold, italics, lists, links and small headings. Other formatting is removed.`}
              optional
              rows={10}
              spellCheck
              {...form.field('site_wide_message')}
            />
          </div>
        </>
      )}
    </SectionForm>
  )
}

/** Buttons that add formatting tags around the selection. */
function Tools({ form }: { form: SectionFields }) {
  const { t } = useLingui()
  const wrap = (before: string, after: string) => {
    const editor = document.getElementById(EDITOR) as HTMLTextAreaElement | null
    if (!editor) return
    const { selectionStart: start, selectionEnd: end, value } = editor
    const text = value.slice(0, start) + before + value.slice(start, end) + after + value.slice(end)
    form.setValue('site_wide_message', text, { shouldDirty: true })
    editor.focus()
    editor.setSelectionRange(start + before.length, end + before.length)
  }
  const tools: [LucideIcon, string, string, string][] = [
    [Bold, t`Bold`, '<b>', '</b>'],
    [Italic, t`Italic`, '<i>', '</i>'],
    [ListIcon, t`List`, '<ul>\n  <li>', '</li>\n</ul>'],
    [Link2, t`Link`, '<a href="https://">', '</a>'],
  ]
  return (
    <div role="group" aria-label={t`Formatting for the selected text`} className="flex gap-1">
      {tools.map(([icon, label, before, after]) => (
        <IconButton key={label} icon={icon} label={label} onClick={() => wrap(before, after)} />
      ))}
    </div>
  )
}

const PAUSE_MS = 400

/** Preview of the message after the server has sanitized it. */
function MessagePreview({ form, companyId }: { form: SectionFields; companyId: number }) {
  const typed = String(form.watch('site_wide_message') ?? '')
  const [html, setHtml] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setHtml(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const { data } = useResponse(previewMessage, { companyId, html }, { keepPrevious: true })
  return (
    <div className="min-w-0">
      <h3 className="mb-2 text-tile">
        <Trans>Resident preview</Trans>
      </h3>
      <div className="rounded-sm border border-line border-s-6 border-s-brand bg-surface px-5 py-4">
        {data?.html ? (
          <div
            className="min-w-0 wrap-anywhere [&_:is(h3,h4)]:font-body [&_:is(h3,h4)]:text-lg [&_:is(ul,ol)]:ps-6 [&_a]:font-bold [&_a]:text-link [&_a]:underline [&_ol]:list-decimal [&_ul]:list-disc"
            // oxlint-disable-next-line react/no-danger -- the server has removed scripts, loaded resources and layout
            dangerouslySetInnerHTML={{ __html: data.html }}
          />
        ) : (
          <p className="text-muted">
            <Trans>No message. Residents see nothing here.</Trans>
          </p>
        )}
      </div>
    </div>
  )
}
