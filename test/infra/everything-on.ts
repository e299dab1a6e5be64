import { audit } from '../../infra/audit.ts'
import { PriceLookupStack } from '../../infra/price-lookup-stack.ts'
import { createApp, everythingOn } from './synthesise.ts'

// An environment that has everything, under the same audit as the real ones.
const app = createApp()
new PriceLookupStack(app, 'everything-on', { name: 'test', ...everythingOn })
audit(app)
