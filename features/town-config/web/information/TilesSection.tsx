import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { isOpen } from '../../../../web/modules.ts'
import { makeTheme } from '../../../../shared/theme.ts'
import { Checkbox, Select } from '../../../../web/ui/Choice.tsx'
import { TextArea, TextField } from '../../../../web/ui/TextField.tsx'
import { iconNames, iconOf, Tile } from '../../../../web/ui/Tile.tsx'
import { type ConfigOf, MAX_TILES } from '../../rules.ts'
import { TOP_SERVICES } from '../../../companies/rules.ts'
import { EntryList } from '../../../../web/ui/office/EntryList.tsx'
import { Preview } from './Preview.tsx'
import { SectionForm, type SectionProps } from './SectionForm.tsx'
import { Text } from '../../../../web/ui/Text.tsx'
import type { SectionFields } from './fields.tsx'

type TileValues = ConfigOf<'tiles'>['tiles'][number]
const blank = { name: '', desc: '', active: true, route: '/', image: 'cog', button_text: '' }

/** Tiles of the landing page (spec 2.8). The first five are its 'Top Services'. */
export function TilesSection({ companyConfig }: SectionProps) {
  const { background_color, text_color } = companyConfig.config.theme
  return (
    <SectionForm
      companyConfig={companyConfig}
      section="tiles"
      title={<Trans>Landing page</Trans>}
      lead={
        <Trans>Tiles are shown in this order. The first five are the Top Services. The others appear below them.</Trans>
      }
      toFormValues={(stored) => ({
        tiles: (stored['tiles'] as ConfigOf<'tiles'>['tiles']).map((tile) => ({ ...tile, active: tile.active === 1 })),
      })}
      aside={(form) => (
        <Preview tokens={makeTheme(background_color, text_color).tokens} title={<Trans>Resident preview</Trans>}>
          <TilesPreview tiles={(form.watch('tiles') ?? []) as TileValues[]} />
        </Preview>
      )}
    >
      {(form) => <Tiles form={form} />}
    </SectionForm>
  )
}

function Tiles({ form }: { form: SectionFields }) {
  const { t } = useLingui()
  const nameAt = (at: number) => String(form.watch(`tiles.${at}.name`) ?? '') || t`tile ${at + 1}`
  return (
    <EntryList
      form={form}
      name="tiles"
      blank={blank}
      max={MAX_TILES}
      sortable
      addLabel={<Trans>Add a tile</Trans>}
      emptyLabel={<Trans>No tiles. Residents see an empty landing page.</Trans>}
      entryName={nameAt}
    >
      {(path, at) => (
        <>
          <TextField label={<Trans>Name of tile {at + 1}</Trans>} {...form.field(`${path}.name`)} />
          <Checkbox label={<Trans>Available to residents</Trans>} {...form.field(`${path}.active`)} />
          <More form={form} path={path} />
        </>
      )}
    </EntryList>
  )
}

/** Route, texts and icon of a tile. Expands automatically if one of its fields contains an error. */
function More({ form, path }: { form: SectionFields; path: string }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const hasErrors = ['route', 'desc', 'image', 'button_text'].some((field) => form.field(`${path}.${field}`).error)
  const route = String(form.watch(`${path}.route`) ?? '')
  return (
    <details open={open || hasErrors} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-8 w-fit cursor-pointer rounded-sm py-1 text-link text-sm underline underline-offset-4">
        {isOpen(route) ? (
          <Trans>More settings for {route}</Trans>
        ) : (
          <Trans>More settings for {route} (not available yet)</Trans>
        )}
      </summary>
      <div className="flex flex-col gap-4 pt-3">
        <TextField
          label={<Trans>Path</Trans>}
          hint={
            <Trans>
              Enter a path such as /utility-portal. If the page does not exist yet, the tile is shown as not available.
            </Trans>
          }
          spellCheck={false}
          autoCapitalize="none"
          {...form.field(`${path}.route`)}
        />
        <TextArea label={<Trans>Description</Trans>} rows={2} optional {...form.field(`${path}.desc`)} />
        <Select
          label={<Trans>Icon</Trans>}
          options={[
            { value: '', label: t`No icon` },
            ...iconNames.map((icon) => ({ value: icon, label: icon.replaceAll('-', ' ') })),
          ]}
          {...form.field(`${path}.image`)}
        />
        <TextField label={<Trans>Button text</Trans>} optional {...form.field(`${path}.button_text`)} />
      </div>
    </details>
  )
}

const TilesPreview = ({ tiles }: { tiles: readonly TileValues[] }) => (
  <ul className="grid gap-4">
    {tiles.map((tile, at) => {
      const active = Boolean(Number(tile.active)) && isOpen(tile.route)
      return (
        // The tiles have no ids. The preview is static, so the index is a sufficient React key.
        <Tile
          key={at}
          title={tile.name || '…'}
          icon={iconOf(tile.image)}
          href={active ? tile.route : undefined}
          inactive={!active}
          wide={false}
          links={tile.button_text && <span className="link">{tile.button_text}</span>}
        >
          <Text>{tile.desc}</Text>
          {at === TOP_SERVICES - 1 && tiles.length > TOP_SERVICES && (
            <span className="mt-1 block text-xs">
              <Trans>Last of the Top Services</Trans>
            </span>
          )}
        </Tile>
      )
    })}
  </ul>
)
