import type { FastifyInstance } from 'fastify'
import { findByAddress } from '../../../server/attachments/by-address.ts'
import { attach, receiveFile } from '../../../server/attachments/keep.ts'
import { implement } from '../../../server/call.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { logoFiles, saveLogo } from '../contract.ts'
import { logoPath } from './logo-file.ts'
import { forgetCompany, lockCompany, saveSection } from './save-section.ts'
import { stored } from './stored.ts'

/**
 * Saves an uploaded logo and shows it immediately. Keeps earlier logos, so that an old version can be restored. Company
 * staff may call this, but only the platform role can write the company's row.
 */
export const takeLogo = implement(saveLogo, async (call) => {
  const { context, company } = call
  const id = await receiveFile(call, logoFiles, company.id, (received) =>
    context.acrossCompanies(async (tx) => {
      await lockCompany(tx, company.id)
      const { id: file } = await attach(tx, received, company.id)
      const theme = await stored.theme.read(tx, company.id)
      const value = { ...theme, logo: logoPath(company.id, file) }
      await saveSection(tx, context, call, company.id, { section: 'theme', value, origin: 'logo' })
      return file
    }),
  )
  forgetCompany(context)
  return { success: true as const, file_id: id, path: logoPath(company.id, id) }
})

/** Serves logos on every host. A URL always returns the same image, so browsers may cache it permanently. */
export function mountLogos(app: FastifyInstance, context: AppContext): void {
  app.get<{ Params: { company: string; file: string } }>('/logos/:company/:file', async ({ params }, reply) => {
    const row = await findByAddress(context, params, logoFiles.kind)
    if (!row) return reply.callNotFound()
    return reply
      .type(row.content_type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(context.files.read(row.path))
  })
}
