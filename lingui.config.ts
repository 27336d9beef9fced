import { defineConfig } from '@lingui/cli'

/** `lingui extract` collects the words of all screens into one catalogue; see `web/i18n.ts`. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en'],
  catalogs: [{ path: '<rootDir>/web/locales/{locale}/messages', include: ['<rootDir>/web', '<rootDir>/features/**/web/**'] }],
})
