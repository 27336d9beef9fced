import { rendersIn } from '../../../server/render.ts'
import { linkMailingsPdf } from './code-letter-pdf.ts'

rendersIn(linkMailingsPdf)
