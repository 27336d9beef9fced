import { settingsOf } from '../../../server/app-settings.ts'
import { implement } from '../../../server/call.ts'
import { appSettings } from '../contract.ts'

export const appSettingsCall = implement(appSettings, async ({ context }) => ({ settings: settingsOf(context.config) }))
