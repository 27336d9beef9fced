import { call } from '../../../web/call.ts'
import { companyInfo } from '../contract.ts'

/** The town's name and logo as they are now. */
export async function loadTown(): Promise<{ name: string; logoUrl: string | null }> {
  const { company } = await call(companyInfo)
  return { name: company.name, logoUrl: company.file_path || null }
}
