/**
 * Languages of the screens. English is in the source (`<Trans>`, `t`), and the build compiles messages with values
 * (`web/build/compile-messages.ts`). So English needs neither a catalog nor a parser in the browser. Another language
 * is the compiled catalog of `web/locales/es`, which `web/other-language.ts` loads only for its readers. It also has
 * the sentences of rules, labels and the server (`shared/messages.ts`).
 */
import { i18n } from '@lingui/core'

// A message that is still a string has no values, so it needs no compiling.
i18n.setMessagesCompiler((message) => message as never)
i18n.load('en', {})
i18n.activate('en')

export { i18n }
