import { NotFound } from '../NotFound.tsx'

export default function NotFoundScreen() {
  return <NotFound search="/frequently-asked-questions" />
}
