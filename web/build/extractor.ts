import { relative } from 'node:path'
import { extractFromFileWithBabel, getBabelParserOptions } from '@lingui/cli/api/extractors/babel'
import type { ExtractorType } from '@lingui/conf'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { findSentences, isForReaders } from './find-sentences.ts'

/** For `lingui extract`: what stands in the macros of the screens, and all other sentences that people read. */
export const extractor: ExtractorType = {
  match: (filename) => /\.tsx?$/.test(filename),
  extract: async (filename, code, tell, context) => {
    if (/@lingui\/(?:react|core)\/macro/.test(code) && context) {
      const plugins = getBabelParserOptions(filename, context.linguiConfig.extractorParserOptions)
      await extractFromFileWithBabel(filename, code, tell, context, { plugins })
    }
    const file = relative(process.cwd(), filename).replaceAll('\\', '/')
    if (!isForReaders(file)) return
    for (const { message, line, values } of findSentences(file, code).sentences)
      tell({
        id: generateMessageId(message),
        message,
        origin: [filename, line],
        placeholders: Object.fromEntries(values.map((value, n) => [n, value])),
      })
  },
}
