import { residents, signUps, utilityAccounts } from './adoption.ts'
import { failures } from './failures.ts'
import type { Measure } from './measure.ts'
import { payments } from './payments.ts'
import { signIns } from './sign-ins.ts'
import { requests, requestsClosed, requestsReceived } from './support.ts'

/** All measures. An added one is counted from that day and needs its labels in `rules.ts`. */
export const allMeasures: readonly Measure[] = [
  ...[residents, utilityAccounts, signUps, payments, signIns, failures],
  ...[requests, requestsReceived, requestsClosed],
]
