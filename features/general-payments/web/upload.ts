import type { Upload } from '../../../web/fields/surroundings.tsx'
import { sendFile } from '../../../web/send-file.ts'
import { attachChargeFile, chargeFiles } from '../contract.ts'

/** Uploads a file as soon as the payer chooses it. The file is deleted after a day unless answers refer to it. */
export const uploadForCharge: Upload = async (_field, file) => {
  const { file_id, name } = await sendFile({ takes: attachChargeFile, by: chargeFiles, file })
  return { owner: chargeFiles.kind, id: file_id, name }
}
