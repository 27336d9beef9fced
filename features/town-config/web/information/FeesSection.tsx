import { FeeRules } from '../../../fee-rules/web/parts/FeeRules.tsx'

/** Section for the fee rules of the municipality. */
export const FeesSection = () => <FeeRules level={2} />
