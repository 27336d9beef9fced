import { conflict } from '../../../server/errors.ts'
import { say } from '../../../shared/messages.ts'
import { defineConditions, signingStatusOf } from '../../rentals/api.ts'
import { agreeAsResident } from './agree-as-resident.ts'
import { refuseUninsured } from './certificates.ts'
import { notifySigner } from './sign-notice.ts'

defineConditions({
  saveAnswers: agreeAsResident,
  requestSignature: notifySigner,
  async refuseCheckIn(tx, row) {
    await refuseUninsured(tx, row)
    if (signingStatusOf(row) === 'unsigned')
      throw conflict('not_signed', say`The agreement for reservation ${row.number} is not signed yet.`)
  },
})
