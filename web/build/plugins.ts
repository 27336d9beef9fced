import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { HtmlTagDescriptor, Plugin } from 'vite'

/** The three faces that the first screen of every entry shows. */
const FIRST_FONTS = /(?:besley-latin-700|atkinson-hyperlegible-next-latin-[47]00)-normal-[^/]*\.woff2$/

/** Preloads the fonts in each page, so that text appears in its face at once. */
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

const COMPRESSIBLE = /\.(?:js|css|svg|json)$/
const brotli = promisify(brotliCompress)

/** Writes a `.br` beside every asset, at the best quality: it is done once and served for a year. */
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
