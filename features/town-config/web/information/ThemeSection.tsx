import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { contrast, makeTheme, type Theme } from '../../../../shared/theme.ts'
import { call, messageOf } from '../../../../web/call.ts'
import { reload } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Logo, Plat } from '../../../../web/ui/Emblem.tsx'
import { ConfirmDialog } from '../../../../web/ui/Dialog.tsx'
import { FileUpload } from '../../../../web/ui/FileUpload.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { logoFiles, returnConfig, saveConfig, saveLogo } from '../../contract.ts'
import { configHistory } from '../../list.ts'
import { labelOf } from '../../report.ts'
import { Preview } from './Preview.tsx'
import { SectionForm, type SectionProps } from './SectionForm.tsx'
import type { CompanyConfigResponse } from './company.ts'
import { Text } from '../../../../web/ui/Text.tsx'
import type { SectionFields } from './fields.tsx'

/**
 * Section for two colors and the logo of the company (spec 3, 2.20). Any color is accepted, because the portal adjusts
 * derived colors to stay readable.
 */
export const ThemeSection = ({ companyConfig }: SectionProps) => (
  <>
    <SectionForm
      companyConfig={companyConfig}
      section="theme"
      title={<Trans>Colors and logo</Trans>}
      lead={
        <Trans>
          The portal derives all other colors from the background and text colors, so that text stays readable.
        </Trans>
      }
      aside={(form) => <Aside form={form} companyConfig={companyConfig} />}
    >
      {(form) => (
        <>
          <Color form={form} name="background_color" />
          <Color form={form} name="text_color" />
        </>
      )}
    </SectionForm>
    {companyConfig.sections.theme?.mayChange && <LogoField companyConfig={companyConfig} />}
  </>
)

const HEX = /^#[0-9a-f]{6}$/i

/** Color field with the browser's color picker and a text input. */
function Color({ form, name }: { form: SectionFields; name: string }) {
  const { t } = useLingui()
  const { value, onChange, error } = form.choice(name)
  const label = labelOf(name)
  return (
    <div className="flex items-end gap-3">
      <TextField
        className="flex-1"
        label={label}
        hint={t`Example: #324c96`}
        error={error}
        spellCheck={false}
        autoComplete="off"
        value={String(value ?? '')}
        onChange={(event) => onChange(event.target.value)}
      />
      <input
        type="color"
        aria-label={t`Choose a color: ${label}`}
        value={HEX.test(String(value)) ? String(value).toLowerCase() : '#000000'}
        onChange={(event) => onChange(event.target.value)}
        className="h-(--control) w-14 shrink-0 cursor-pointer rounded-sm border border-edge bg-surface p-1"
      />
    </div>
  )
}

function Aside({ form, companyConfig }: { form: SectionFields; companyConfig: CompanyConfigResponse }) {
  const theme = makeTheme(String(form.watch('background_color')), String(form.watch('text_color')))
  return (
    <div className="min-w-0">
      <Preview tokens={theme.tokens} title={<Trans>Preview</Trans>}>
        <Sample companyConfig={companyConfig} />
      </Preview>
      <Darkened theme={theme} />
    </div>
  )
}

const Sample = ({ companyConfig: { company, config } }: { companyConfig: CompanyConfigResponse }) => (
  <div className="flex flex-col gap-4">
    <div className="relative -m-4 mb-0 overflow-hidden bg-deep p-5 text-white">
      <Plat seed={config.details.subdomain} className="absolute inset-0 size-full" />
      <div className="relative flex items-center gap-3">
        <span className={config.theme.logo ? 'rounded-sm bg-white p-1.5' : ''}>
          <Logo url={config.theme.logo || null} name={company.name} size={52} />
        </span>
        <span className="min-w-0">
          <span className="block font-bold font-display text-h3 wrap-anywhere">{company.name}</span>
          <span className="block text-on-deep-soft text-sm">
            <Text>{config.details.city}</Text>, <Text>{config.details.state}</Text>
          </span>
        </span>
      </div>
    </div>
    <p>
      <Trans>
        Sample text with <span className="link">a link</span>.
      </Trans>
    </p>
    <p className="text-muted text-sm">
      <Trans>Sample secondary text.</Trans>
    </p>
    <div className="flex gap-3">
      <Button variant="primary">
        <Trans>Pay a bill</Trans>
      </Button>
      <Button>
        <Trans>Go back</Trans>
      </Button>
    </div>
  </div>
)

/**
 * Message that lists the colors darkened for readability. The portal never refuses a color for low contrast (product
 * rules).
 */
function Darkened({ theme }: { theme: Theme }) {
  const { t } = useLingui()
  const darkenedText = (what: Theme['darkened'][number]['what'], chosen: string, used: string) =>
    ({
      background: t`The background color ${chosen} is darkened to ${used} behind text, so that the text is readable.`,
      links: t`Links and icons use ${used}, because text in ${chosen} would be hard to read. Buttons keep the original color.`,
      text: t`The text color ${chosen} is darkened to ${used}, so that it is readable.`,
    })[what]
  return (
    <div role="status" className="mt-3 flex flex-col gap-2 text-sm">
      {theme.darkened.map(({ what, chosen, used }) => (
        <p key={what} className="flex flex-wrap items-center gap-2">
          <Swatch color={chosen} /> <span aria-hidden>→</span> <Swatch color={used} />
          <span>{darkenedText(what, chosen, used)}</span>
        </p>
      ))}
      {theme.darkened.length === 0 && (
        <p className="text-muted">
          <Trans>
            Both colors are readable without changes. Contrast between text and background:{' '}
            {contrast(theme.tokens.ink, theme.tokens.paper).toFixed(1)} to 1.
          </Trans>
        </p>
      )}
    </div>
  )
}

const Swatch = ({ color }: { color: string }) => (
  <svg aria-hidden width="28" height="20" className="shrink-0 rounded-sm border border-edge">
    <rect width="100%" height="100%" fill={color} />
  </svg>
)

/** Field that uploads a logo and shows it immediately. Without a logo, the company's pages show a seal. */
function LogoField({ companyConfig }: { companyConfig: CompanyConfigResponse }) {
  const { t } = useLingui()
  const { company, config } = companyConfig
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  // Changing the key clears the upload after the logo is removed.
  const [round, setRound] = useState(0)
  const reloadConfig = () => Promise.all([reload(returnConfig), reload(configHistory.call)])
  const openConfirmation = () => setAsking(true)

  const remove = async () => {
    setBusy(true)
    try {
      const { theme } = config
      const values = { ...theme, logo: '' }
      await call(saveConfig, { companyId: company.id, section: 'theme', values, basis: theme })
      toast(t`The municipality now shows its seal again.`)
      setRound(round + 1)
      await reloadConfig()
    } catch (error) {
      toast(messageOf(error), 'danger')
    } finally {
      setBusy(false)
      setAsking(false)
    }
  }
  return (
    <div className="mt-6 flex max-w-text flex-col gap-3 border-line border-t pt-6">
      {config.theme.logo && (
        <div className="flex flex-wrap items-center gap-4">
          <img
            src={config.theme.logo}
            alt={t`${company.name} logo`}
            className="h-24 w-40 rounded-sm border border-line object-contain p-1"
          />
          <Button onClick={openConfirmation}>
            <Trans>Use seal</Trans>
          </Button>
        </div>
      )}
      <FileUpload
        key={round}
        label={config.theme.logo ? t`New logo` : t`Logo`}
        takes={saveLogo}
        by={logoFiles}
        fields={{ company: String(company.id) }}
        onChange={() => {
          toast(t`The municipality now shows its new logo.`)
          void reloadConfig()
        }}
        onRemove={openConfirmation}
      />
      {asking && (
        <ConfirmDialog
          title={<Trans>Use the seal instead of the logo?</Trans>}
          confirmLabel={<Trans>Use seal</Trans>}
          busy={busy}
          onConfirm={() => void remove()}
          onClose={() => setAsking(false)}
        >
          <Trans>
            {company.name} will immediately show its seal again on all pages. To undo this, upload a logo, or restore
            this version of “Colors and logo” from the history.
          </Trans>
        </ConfirmDialog>
      )}
    </div>
  )
}
