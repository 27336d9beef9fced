import { residents, signUps, utilityAccounts } from './adoption.ts'
import { failures } from './failures.ts'
import type { Measure } from './measure.ts'
import { payments } from './payments.ts'
import { signIns } from './sign-ins.ts'
import { requests, requestsClosed, requestsReceived } from './support.ts'

/** All measures. A new measure is counted from the day it is added, and needs labels in `rules.ts`. */
export const allMeasures: readonly Measure[] = [
  ...[residents, utilityAccounts, signUps, payments, signIns, failures],
  ...[requests, requestsReceived, requestsClosed],
]
