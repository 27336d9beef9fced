/**
 * Fixed phrases of a call, in all spoken languages. Calls use the recipient's language, even if the portal's screens
 * are not available in it.
 */
export const phrases = {
  en: {
    again: 'Here is the message again.',
    keys: (name: string) => `Press 1 to hear this again. Press 9 to stop these calls from ${name}.`,
    optedOut: (name: string) => `You will no longer get these calls from ${name}. Goodbye.`,
    code: (name: string, code: string) => `This is ${name}. Your code is ${code}.`,
  },
  es: {
    again: 'Repito.',
    keys: (name: string) =>
      `Pulse 1 para escuchar otra vez. Pulse 9 para no recibir más llamadas como esta de ${name}.`,
    optedOut: (name: string) => `Ya no recibirá más llamadas como esta de ${name}. Adiós.`,
    code: (name: string, code: string) => `Le llama ${name}. Su código es ${code}.`,
  },
} as const
