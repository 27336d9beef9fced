import { Trans, useLingui } from '@lingui/react/macro'
import type { Editor } from '@tiptap/core'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useResponse } from '../../../../web/query.ts'
import { LinkDialog } from '../../../../web/ui/office/rich-text/LinkDialog.tsx'
import { previewMessage } from '../../contract.ts'
import { labelOf } from '../../report.ts'
import { Text, type SectionFields } from './fields.tsx'
import { SectionForm, type SectionProps } from './SectionForm.tsx'

/** Loaded separately, because the editor is larger than the rest of this screen. */
const HtmlField = lazy(() => import('../../../../web/ui/office/rich-text/HtmlField.tsx'))

/** Section for the site-wide message (spec 2.8): a line under the company's name, and a message on the landing page. */
export function MessageSection({ companyConfig }: SectionProps) {
  const { t } = useLingui()
  const [linking, setLinking] = useState<Editor | null>(null)
  const pages = companyConfig.config.tiles.tiles.map(({ name, route }) => ({ title: name, path: route }))
  return (
    <>
      <SectionForm
        companyConfig={companyConfig}
        section="message"
        title={<Trans>Message to residents</Trans>}
        aside={(form) => <MessagePreview form={form} companyId={companyConfig.company.id} />}
      >
        {(form) => (
          <>
            <Text form={form} name="tagline" hint={t`Shown as one line on the landing page.`} optional />
            <Suspense fallback={<div className="min-h-56" />}>
              <HtmlField
                label={labelOf('site_wide_message')}
                hint={t`Shown on the landing page. If empty, residents see no message.`}
                source={form.field('site_wide_message')}
                {...form.choice('site_wide_message')}
                onLink={setLinking}
              />
            </Suspense>
          </>
        )}
      </SectionForm>
      {linking && <LinkDialog editor={linking} targets={pages} onClose={() => setLinking(null)} />}
    </>
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
