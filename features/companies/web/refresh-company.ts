import { call } from '../../../web/call.ts'
import { companyInfo } from '../contract.ts'

export async function loadCompany(): Promise<{ name: string; logoUrl: string | null }> {
  const { company } = await call(companyInfo)
  return { name: company.name, logoUrl: company.file_path || null }
}
