import { FeeRules } from './parts/FeeRules.tsx'

const FeeRulesScreen = () => <FeeRules level={1} />
export default FeeRulesScreen
