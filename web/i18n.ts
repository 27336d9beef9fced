/**
 * Languages of the screens. English texts are in the source (`<Trans>`, `t`), and the build compiles those with values
 * (`web/build/compile-messages.ts`). English therefore needs neither a catalog nor a parser in the browser. Another
 * language needs the compiled catalog of `web/locales/es`. `web/other-language.ts` loads the catalog only for readers
 * of that language. The catalog also has the texts of rules, labels and the server (`shared/messages.ts`).
 */
import { i18n } from '@lingui/core'

// The build has compiled all messages with values. The other messages are plain strings and need no compiling.
i18n.setMessagesCompiler((message) => message as never)
i18n.load('en', {})
i18n.activate('en')

export { i18n }
