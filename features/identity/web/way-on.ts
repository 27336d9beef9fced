export { wayOn } from '../../../web/way-on.ts'
