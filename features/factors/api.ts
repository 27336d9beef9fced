/** Server functions for other features. */
export { askSecond } from './server/ask-second.ts'
export { proveBoth } from './server/prove.ts'
export { hasFactors, resetFactors } from './server/reset-factors.ts'
export { Factors } from './server/store.ts'
