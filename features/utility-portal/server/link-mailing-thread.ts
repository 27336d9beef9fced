import { rendersIn } from '../../../server/render.ts'
import { linkMailingsPdf } from './link-mailing-pdf.ts'

rendersIn(linkMailingsPdf)
