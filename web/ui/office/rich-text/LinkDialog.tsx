import { Trans, useLingui } from '@lingui/react/macro'
import type { Editor } from '@tiptap/core'
import * as z from 'zod/mini'
import { linkAddress } from '../../../../shared/rich-text.ts'
import { Select } from '../../Choice.tsx'
import { FormDialog } from '../../FormDialog.tsx'
import { useZodForm } from '../../form.ts'
import { TextField } from '../../TextField.tsx'

interface Props {
  editor: Editor
  /** Pages of the portal that staff can choose. */
  targets: readonly { path: string; title: string }[]
  onClose: () => void
}

/** Sets the URL and the text of a link. Without a URL, removes the link but not its text. */
function setLink(editor: Editor, href: string, linkText: string): void {
  const chain = editor.chain().extendMarkRange('link')
  if (href === '') chain.unsetMark('link').run()
  else if (linkText !== '')
    chain.insertContent({ type: 'text', text: linkText, marks: [{ type: 'link', attrs: { href } }] }).run()
  else chain.setMark('link', { href }).run()
  // Waits a frame, because the closing dialog first moves the focus.
  requestAnimationFrame(() => editor.commands.focus())
}

const TEXT_REQUIRED = 'Enter the link text.'

/** Dialog for the target of a link: a page of the portal, or any URL. */
export function LinkDialog({ editor, targets, onClose }: Props) {
  const { t } = useLingui()
  const href = String(editor.getAttributes('link')['href'] ?? '')
  // Without selected text, the dialog asks for the link text.
  const needsText = editor.state.selection.empty && href === ''
  const schema = z.object({
    href: z.union([z.literal(''), linkAddress], { error: 'Start the link with https://, mailto:, tel: or /.' }),
    text: z.string().check(z.trim(), z.maxLength(200), ...(needsText ? [z.minLength(1, TEXT_REQUIRED)] : [])),
  })
  const form = useZodForm<z.input<typeof schema>, z.output<typeof schema>>(schema, {
    defaultValues: { href, text: '' },
  })
  const address = form.field('href')
  const choose = (path: string) => {
    form.setValue('href', path, { shouldDirty: true })
    const title = targets.find((one) => one.path === path)?.title
    if (needsText && title && form.getValues('text') === '') form.setValue('text', title)
  }
  return (
    <FormDialog
      title={<Trans>Link</Trans>}
      form={form}
      submit={<Trans>Save link</Trans>}
      onSubmit={async ({ href: to, text }) => setLink(editor, to, needsText ? text : '')}
      onClose={onClose}
    >
      <Select
        label={t`Portal page`}
        placeholder={t`Another address`}
        options={targets.map(({ path, title }) => ({ value: path, label: title }))}
        value={targets.some(({ path }) => path === form.watch('href')) ? form.watch('href') : ''}
        onChange={({ target }) => choose(target.value)}
      />
      <TextField
        label={t`Address`}
        hint={
          href === ''
            ? t`Start with https://, mailto: or tel:, or enter a path such as /pay-bills.`
            : t`Leave empty to remove the link.`
        }
        autoCapitalize="none"
        spellCheck={false}
        {...address}
      />
      {needsText && <TextField label={t`Link text`} {...form.field('text')} />}
    </FormDialog>
  )
}
