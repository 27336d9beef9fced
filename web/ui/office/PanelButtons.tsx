import { Trans } from '@lingui/react/macro'
import { Import, Settings2 } from 'lucide-react'
import { setQuery } from '../../go.ts'
import { Button } from '../Button.tsx'

/** Buttons that open a panel over the screen. The URL names the open panel. */

export const ImportButton = () => (
  <Button icon={Import} onClick={() => setQuery({ panel: 'import' })}>
    <Trans>Import</Trans>
  </Button>
)

export const SettingsButton = () => (
  <Button icon={Settings2} onClick={() => setQuery({ panel: 'settings' })}>
    <Trans>Settings</Trans>
  </Button>
)
