import babel, { defineRolldownBabelPreset } from '@rolldown/plugin-babel'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { compileCatalogues } from './web/build/catalogs.ts'
import { compileMessages } from './web/build/compile-messages.ts'
import { fieldWorker } from './web/build/field-worker.ts'
import { compressAssets, pages, preloadFonts } from './web/build/plugins.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** One HTML page for each audience, so that a resident's browser never loads the back office; and the design page. */
const entries = ['citizen', 'municipality', 'admin', 'design']

/**
 * Lingui's macros, with the English message kept in the source (see `web/i18n.ts`). Babel is slow, so it sees the files
 * that use them alone.
 */
export const words = defineRolldownBabelPreset({
  preset: () => ({ plugins: [['@lingui/babel-plugin-lingui-macro', { stripMessageField: false }], compileMessages] }),
  rolldown: { filter: { code: /@lingui\/(?:react|core)\/macro/ } },
})

/** Names that change with what is in the file; seven characters tell four million million versions apart. */
const HASHED = 'assets/[name]-[hash:7].js'

/** What every screen needs and we hardly ever change: one file, so that it stays in browsers over many releases. */
const BASE = /node_modules\/(?:react|react-dom|scheduler|@lingui\/(?:core|react))\//

const ICONS = /node_modules\/lucide-react\/dist\/esm\/icons\//

/** Icons that the office alone shows: no resident's first view carries them. One that is missing here costs bytes alone. */
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

export default defineConfig({
  root: at('portal'),
  // Whoever serves the pages decides what an unknown path answers: never a page.
  appType: 'custom',
  plugins: [
    pages(at('portal'), entries),
    babel({ presets: [words] }),
    react(),
    tailwindcss(),
    { ...optimizeLocales.vite({ locales: ['en-US', 'es-ES'] }), enforce: 'pre' },
    preloadFonts(),
    fieldWorker(at('web/field/worker.ts')),
    compressAssets(),
    compileCatalogues(at('web/locales')),
  ],
  build: {
    outDir: at('dist/web'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      // Schemas are built by calls that do nothing else: those that nobody uses are left out.
      treeshake: { manualPureFunctions: ['z', 'cleaned'] },
      input: Object.fromEntries(entries.map((entry) => [entry, at(`portal/${entry}.html`)])),
      output: {
        // Each page names two hundred files that it may load: each character of their names is noticed.
        ...{ entryFileNames: HASHED, chunkFileNames: 'assets/[hash:7].js' },
        codeSplitting: {
          groups: [
            { name: 'base', test: BASE },
            // Else each icon that two screens have is a file, and a screen of the office asks for twenty of them.
            { name: 'office-icons', test: OFFICE_ICONS, minShareCount: 2, includeDependenciesRecursively: false },
            { name: 'icons', test: ICONS, minShareCount: 2, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: { fs: { allow: [at('.')] } },
})
