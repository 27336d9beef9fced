export { nextPath } from '../../../web/next-path.ts'
