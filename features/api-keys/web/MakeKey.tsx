import { Trans, useLingui } from '@lingui/react/macro'
import { Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { call } from '../../../web/call.ts'
import { reload } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { optionsOf, Select } from '../../../web/ui/Choice.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { FormButtons } from '../../../web/ui/FormButtons.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { apiKeyForm, makeApiKey } from '../contract.ts'
import { apiKeys } from '../list.ts'
import { keyUses } from '../rules.ts'
import { arriveAt } from '../../../web/ui/step-heading.ts'

/** Creates a key and shows the key only once. */
export function MakeKey({ onClose }: { onClose: () => void }) {
  const [key, setKey] = useState('')
  const { t } = useLingui()
  const form = useZodForm(apiKeyForm, { defaultValues: { name: '' } })
  const make = async (values: z.output<typeof apiKeyForm>) => {
    setKey((await call(makeApiKey, values)).key)
    await reload(apiKeys.call)
  }
  return (
    <SlideOut
      title={<Trans>Create key</Trans>}
      onClose={onClose}
      locked={form.formState.isSubmitting}
      actions={
        key ? (
          <Button variant="primary" onClick={onClose}>
            <Trans>I saved the key</Trans>
          </Button>
        ) : (
          <FormButtons form={form} id="api-key" save={<Trans>Create key</Trans>} onClose={onClose} />
        )
      }
    >
      {key ? (
        <Made value={key} />
      ) : (
        <Form form={form} id="api-key" onSubmit={make}>
          <TextField
            label={<Trans>Name</Trans>}
            hint={<Trans>Enter the name of the program that uses the key, for example your billing system.</Trans>}
            maxLength={60}
            {...form.field('name')}
          />
          <Select
            label={<Trans>Access</Trans>}
            placeholder={t`Choose one`}
            options={optionsOf(keyUses)}
            {...form.field('use')}
          />
        </Form>
      )}
    </SlideOut>
  )
}

function Made({ value }: { value: string }) {
  const { t } = useLingui()
  const panelRef = useRef<HTMLDivElement>(null)
  useEffect(() => arriveAt(panelRef.current), [])
  const copy = () =>
    void navigator.clipboard.writeText(value).then(
      () => toast(t`Copied.`),
      () => toast(t`Your browser does not allow automatic copying. Select the key and copy it yourself.`, 'danger'),
    )
  return (
    <div ref={panelRef} tabIndex={-1} className="flex flex-col gap-4 outline-none">
      <Notice tone="success">
        <Trans>Key created. Copy the key into your program’s settings now. We will not show it again.</Trans>
      </Notice>
      <p className="rounded-sm border border-line bg-tint px-4 py-3 font-bold font-mono wrap-anywhere">{value}</p>
      <div>
        <Button icon={Copy} size="small" onClick={copy}>
          <Trans>Copy key</Trans>
        </Button>
      </div>
    </div>
  )
}
