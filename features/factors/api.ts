/** Server functions for other features. */
export { requestSecondFactor } from './server/request-second-factor.ts'
export { proveBoth } from './server/prove.ts'
export { hasFactors, resetFactors } from './server/reset-factors.ts'
export { Factors } from './server/store.ts'
