import { Trans, useLingui } from '@lingui/react/macro'
import { Columns3, Plus } from 'lucide-react'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { importPresets, removeImportPreset, renamedPreset, renameImportPreset } from '../../../shared/import-presets.ts'
import type { RowOf } from '../../../shared/list.ts'
import { call, messageOf } from '../../../web/call.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { reload } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { EmptyState } from '../../../web/ui/States.tsx'
import { Text } from '../../../web/ui/Text.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { AddPreset } from './AddPreset.tsx'

type Preset = RowOf<typeof importPresets>

/** Columns of the files of billing systems. Imports of all municipalities start with them. */
export default function PresetsScreen() {
  const { t } = useLingui()
  const mayAdd = may('company_setup', 'create')
  const adding = useQueryParam('add') !== null && mayAdd
  const [opened, setOpened] = useState<Preset | null>(null)
  const [removed, setRemoved] = useState<Preset | null>(null)
  const addButton = mayAdd && (
    <Button variant="primary" icon={Plus} onClick={() => setQuery({ add: '1' })}>
      <Trans>Add preset</Trans>
    </Button>
  )
  const remove = async ({ id }: Preset) => {
    setRemoved(null)
    try {
      toast((await call(removeImportPreset, { presetId: id })).message)
    } catch (error) {
      toast(messageOf(error), 'danger')
    }
    await reload(importPresets.call)
  }
  return (
    <>
      <ListScreen
        of={importPresets}
        rowName={({ name }) => name}
        cells={{ name: ({ name }) => <strong>{name}</strong> }}
        actions={{ edit: setOpened, remove: setRemoved }}
        onRow={setOpened}
        headActions={addButton}
        empty={
          <EmptyState icon={Columns3} title={<Trans>No presets yet</Trans>} action={addButton}>
            <Trans>
              Save the columns of a billing system once. Municipalities that import its files then start with these
              columns.
            </Trans>
          </EmptyState>
        }
      />
      {adding && <AddPreset onClose={() => setQuery({ add: null })} />}
      {opened && <PresetSlideOut key={opened.id} preset={opened} onClose={() => setOpened(null)} />}
      {removed && (
        <ConfirmDialog
          danger
          title={t`Remove ${removed.name}?`}
          confirmLabel={t`Remove preset`}
          onConfirm={() => void remove(removed)}
          onClose={() => setRemoved(null)}
        >
          <Trans>New imports no longer start with these columns. Municipalities keep the columns that they used.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Panel with the columns of a preset and the name of its billing system. */
function PresetSlideOut({ preset: { id, name, columns, can }, onClose }: { preset: Preset; onClose: () => void }) {
  const form = useZodForm(renamedPreset, {
    defaultValues: { name },
    basis: { name },
    draft: { name: `import-preset-${id}` },
  })
  const save = async (values: z.output<typeof renamedPreset>) => {
    toast((await call(renameImportPreset, { presetId: id, ...values, basis: form.basis })).message)
    await reload(importPresets.call)
    onClose()
  }
  return (
    <FormSlideOut
      title={<Text>{name}</Text>}
      form={form}
      mayEdit={can['edit'] === true}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={<Trans>Billing system</Trans>}
        maxLength={60}
        autoComplete="off"
        disabled={can['edit'] !== true}
        {...form.field('name')}
      />
      <section aria-label={name}>
        <h3 className="font-bold text-base">
          <Trans>Columns</Trans>
        </h3>
        <dl className="mt-2 flex flex-col">
          {columns.map((column, at) => (
            // The columns of a file have an order, and their names may repeat.
            // oxlint-disable-next-line react/no-array-index-key
            <div key={at} className="grid grid-cols-2 gap-x-4 border-line border-t py-2 text-sm">
              <dt className="font-bold wrap-anywhere">
                <Text>{column.name}</Text>
              </dt>
              <dd className="wrap-anywhere">
                {column.to === '' ? (
                  <span className="text-muted">
                    <Trans>Ignored</Trans>
                  </span>
                ) : (
                  <Text>{column.to}</Text>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </FormSlideOut>
  )
}
