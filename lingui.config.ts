import { defineConfig } from '@lingui/cli'
import { extractor } from './web/build/extractor.ts'

/** `lingui extract` collects all visible messages into one catalog. See `shared/messages.ts` and `web/i18n.ts`. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en'],
  extractors: [extractor],
  catalogs: [
    {
      path: '<rootDir>/web/locales/{locale}/messages',
      include: ['<rootDir>/shared', '<rootDir>/server', '<rootDir>/web', '<rootDir>/features', '<rootDir>/portal'],
    },
  ],
})
