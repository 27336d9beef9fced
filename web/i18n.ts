/**
 * The words of the screens. English stands in the source (`<Trans>`, `t`), and the build turns messages with values
 * into their compiled form (`web/build/compile-messages.ts`), so that English needs neither a catalogue nor a parser in
 * the browser. Another language is the compiled catalogue of `web/locales/es`, which `web/other-language.ts` loads for
 * those alone who read it; it has the sentences of rules, labels and the server too (`shared/words.ts`).
 */
import { i18n } from '@lingui/core'

// What is still a string holds no values: it is its own compiled form.
i18n.setMessagesCompiler((message) => message as never)
i18n.load('en', {})
i18n.activate('en')

export { i18n }
