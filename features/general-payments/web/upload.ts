import type { Upload } from '../../../web/fields/surroundings.tsx'
import { sendFile } from '../../../web/send-file.ts'
import { attachChargeFile, chargeFiles } from '../contract.ts'

/** Uploads a file as soon as the payer chooses it. After a day, the file is deleted unless it is part of answers. */
export const uploadForCharge: Upload = async (_field, file) => {
  const { file_id, name } = await sendFile({ takes: attachChargeFile, by: chargeFiles, file })
  return { owner: chargeFiles.kind, id: file_id, name }
}
