import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { HtmlTagDescriptor, Plugin } from 'vite'

/** The three font files that the first screen of every entry uses. */
const FIRST_FONTS = /(?:besley-latin-700|atkinson-hyperlegible-next-latin-[47]00)-normal-[^/]*\.woff2$/

/** Preloads the fonts in each page, so that text appears in its font immediately. */
export const preloadFonts = (): Plugin => ({
  name: 'preload-fonts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => FIRST_FONTS.test(name))
        .map((name): HtmlTagDescriptor => {
          const attrs = { rel: 'preload', href: `/${name}`, as: 'font', type: 'font/woff2', crossorigin: '' }
          return { tag: 'link', attrs, injectTo: 'head' }
        }),
  },
})

/** Provides the HTML file that Vite requests for each entry. Each file is `page.html` with the module of the entry. */
export const pages = (root: string, entries: readonly string[]): Plugin => {
  const files = entries.map((entry) => join(root, `${entry}.html`))
  return {
    name: 'pages',
    enforce: 'pre',
    resolveId: (id) => (files.includes(id) ? id : null),
    load: async (id) => {
      if (!files.includes(id)) return null
      return (await readFile(join(root, 'page.html'), 'utf8')).replace('%entry%', basename(id, '.html'))
    },
  }
}

const COMPRESSIBLE = /\.(?:js|css|svg|json)$/
const brotli = promisify(brotliCompress)

/**
 * Writes a `.br` file for every asset at the highest compression level, because an asset is built once and served for a
 * year.
 */
export const compressAssets = (): Plugin => ({
  name: 'compress-assets',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    const assets = join(dir, 'assets')
    for (const name of await readdir(assets)) {
      if (!COMPRESSIBLE.test(name)) continue
      const content = await readFile(join(assets, name))
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
      await writeFile(join(assets, `${name}.br`), await brotli(content, { params }))
    }
  },
})
