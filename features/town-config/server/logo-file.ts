import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import { Refusal, rejected } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { LOGO_SIZE } from '../rules.ts'

export const LOGO_PURPOSE = 'logo'
const TAKEN = new Set(['image/png', 'image/jpeg'])
/** More pixels than any camera's picture of a logo: what unpacks to more is a trap. */
const MOST_PIXELS = 40_000_000

export const logoPath = (company: CompanyId, file: string): string => `/logos/${company}/${file}`

/**
 * Draws a picture anew as PNG: turned upright, at most 800×400, without what the camera wrote into it.
 * @throws 415 for anything but a PNG or JPG, whatever it calls itself
 */
export async function drawLogo(content: Buffer): Promise<Buffer> {
  const type = await fileTypeFromBuffer(content)
  if (!type || !TAKEN.has(type.mime)) throw new Refusal(415, 'wrong_type', 'Send a PNG or JPG picture.')
  try {
    return await sharp(content, { limitInputPixels: MOST_PIXELS, failOn: 'error', pages: 1 })
      .autoOrient()
      .resize({ ...LOGO_SIZE, fit: 'inside', withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .toBuffer()
  } catch {
    throw new Refusal(415, 'wrong_type', 'This picture could not be read. Save it anew as PNG or JPG and send that.')
  }
}

/** A logo is one that this town uploaded, or none. */
export async function checkLogo(tx: Tx, company: CompanyId, path: string): Promise<void> {
  if (path === '') return
  const [file] = /[0-9a-f-]{36}$/.exec(path) ?? []
  const known =
    file !== undefined &&
    path === logoPath(company, file) &&
    (await tx
      .selectFrom('stored_file')
      .select('id')
      .where('company_id', '=', company)
      .where('id', '=', file)
      .where('purpose', '=', LOGO_PURPOSE)
      .executeTakeFirst())
  if (!known) {
    const says = 'Upload the logo here; this picture is not one of the town.'
    throw rejected(says, { logo: says })
  }
}
