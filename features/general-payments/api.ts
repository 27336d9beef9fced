/** Server functions for other features. */
export { addCharge } from './server/charges.ts'
export { feeChoices, findFee } from './server/fees.ts'
export { generalPayable } from './server/payable.ts'
export { readType } from './server/types.ts'
