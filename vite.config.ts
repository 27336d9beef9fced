import babel, { defineRolldownBabelPreset } from '@rolldown/plugin-babel'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { compileCatalogs } from './web/build/catalogs.ts'
import { sharedChunks } from './web/build/chunks.ts'
import { compileMessages } from './web/build/compile-messages.ts'
import { fieldWorker } from './web/build/field-worker.ts'
import { compressAssets, pages, preloadFonts } from './web/build/plugins.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * HTML pages: the design page, and one for each audience. Separate pages ensure that a resident's browser never loads
 * the back office.
 */
const entries = ['citizen', 'municipality', 'admin', 'design']

/**
 * Compiles Lingui's macros, with the English message in the source (see `web/i18n.ts`). Babel is slow, so it compiles
 * only files that use the macros.
 */
export const textPreset = defineRolldownBabelPreset({
  preset: () => ({ plugins: [['@lingui/babel-plugin-lingui-macro', { stripMessageField: false }], compileMessages] }),
  rolldown: { filter: { code: /@lingui\/(?:react|core)\/macro/ } },
})

/** File names with a hash of the content. Seven characters allow four trillion different hashes. */
const HASHED = 'assets/[name]-[hash:7].js'

/**
 * Libraries that every screen needs and that rarely change. They form one file, so that browsers cache it over many
 * releases.
 */
const BASE = /node_modules\/(?:react|react-dom|scheduler|@lingui\/(?:core|react))\//

const LUCIDE = /node_modules\/lucide-react\//

/** A list of exports, and a menu from which the portal uses only the contexts. */
const UNFOLLOWED = /lucide-react\/dist\/esm\/lucide-react\.|react-aria-components\/dist\/private\/Menu\./

const ICONS = /node_modules\/lucide-react\/dist\/esm\/icons\//

/**
 * Icons that only the back office shows. They form a separate file, so that residents do not load them. If an icon is
 * missing here, residents only load a few more bytes.
 */
const OFFICE_ICONS = new RegExp(
  `${ICONS.source}(?:${[
    'arrow-down',
    'arrow-up',
    'ban',
    'bell-off',
    'bookmark',
    'building-complex',
    'calendar-clock',
    'chevrons-up-down',
    'clipboard-check',
    'columns-3',
    'external-link',
    'file-plus-corner',
    'file-up',
    'grip-vertical',
    'import',
    'link',
    'list-checks',
    'lock-open',
    'mail',
    'message-square-reply',
    'pencil',
    'power',
    'power-off',
    'repeat',
    'send',
    'settings-2',
    'shield-off',
    'sliders-horizontal',
    'undo-2',
    'upload',
    'user-check',
    'user-minus',
    'user-round-search',
    'wallet',
    'wrench',
  ].join('|')})\\.`,
)

/**
 * Bundle of the residents' screens with which the server renders pages. It contains its libraries, because React's
 * files for development are slow.
 */
const serverBuild = {
  ssr: true,
  outDir: at('dist/server'),
  emptyOutDir: true,
  target: 'node24',
  minify: true,
  copyPublicDir: false,
  rolldownOptions: { input: at('portal/citizen-server.tsx') },
}

const browserBuild = {
  outDir: at('dist/web'),
  emptyOutDir: true,
  manifest: true,
  target: 'es2022',
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  chunkSizeWarningLimit: 800,
  rolldownOptions: {
    // The build can remove unused schemas, because the functions that build them are pure, and unused reads of properties.
    treeshake: { manualPureFunctions: ['z', 'cleaned'], propertyReadSideEffects: false as const },
    input: Object.fromEntries(entries.map((entry) => [entry, at(`portal/${entry}.html`)])),
    output: {
      // Each page lists two hundred files that it may load, so long file names would make each page larger.
      ...{ entryFileNames: HASHED, chunkFileNames: 'assets/[hash:7].js' },
      codeSplitting: {
        groups: [
          { name: 'base', test: BASE },
          // Without these groups, each icon that two screens share becomes a separate file. A back office screen
          // would load twenty such files.
          { name: 'office-icons', test: OFFICE_ICONS, minShareCount: 2, includeDependenciesRecursively: false },
          { name: 'icons', test: LUCIDE, minShareCount: 2, includeDependenciesRecursively: false },
          sharedChunks({
            pages: {
              residents: [at('portal/citizen.html')],
              office: [at('portal/municipality.html'), at('portal/admin.html')],
            },
            unlimited: [at('portal/design.html')],
            important: /\/(?:PaymentScreen|PaymentReportScreen)\.tsx$/,
            except: new RegExp(`${BASE.source}|${LUCIDE.source}`),
            unfollowed: UNFOLLOWED,
            // The runtime, the base and two files of icons make 25.
            maxFiles: 21,
          }),
        ],
      },
    },
  },
}

export default defineConfig(({ isSsrBuild }) => ({
  root: at('portal'),
  // The portal's server responds to unknown paths, so Vite must never respond with an HTML page.
  appType: 'custom',
  plugins: [
    ...(isSsrBuild ? [] : [pages(at('portal'), entries)]),
    babel({ presets: [textPreset] }),
    react(),
    tailwindcss(),
    { ...optimizeLocales.vite({ locales: ['en-US', 'es-ES'] }), enforce: 'pre' },
    ...(isSsrBuild
      ? []
      : [preloadFonts(), fieldWorker(at('web/field/worker.ts')), compressAssets(), compileCatalogs(at('web/locales'))]),
  ],
  build: isSsrBuild ? serverBuild : browserBuild,
  ssr: { noExternal: true },
  server: { fs: { allow: [at('.')] } },
}))
