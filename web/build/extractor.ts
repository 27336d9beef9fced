import { relative } from 'node:path'
import { extractFromFileWithBabel, getBabelParserOptions } from '@lingui/cli/api/extractors/babel'
import type { ExtractorType } from '@lingui/conf'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { findSentences, isForReaders } from './find-sentences.ts'

/** Extractor for `lingui extract`: messages in the screens' macros, and all other sentences for readers. */
export const extractor: ExtractorType = {
  match: (filename) => /\.tsx?$/.test(filename),
  extract: async (filename, code, onMessage, context) => {
    if (/@lingui\/(?:react|core)\/macro/.test(code) && context) {
      const plugins = getBabelParserOptions(filename, context.linguiConfig.extractorParserOptions)
      await extractFromFileWithBabel(filename, code, onMessage, context, { plugins })
    }
    const file = relative(process.cwd(), filename).replaceAll('\\', '/')
    if (!isForReaders(file)) return
    for (const { message, line, values } of findSentences(file, code).sentences)
      onMessage({
        id: generateMessageId(message),
        message,
        origin: [filename, line],
        placeholders: Object.fromEntries(values.map((value, n) => [n, value])),
      })
  },
}
