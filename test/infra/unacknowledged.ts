import { App, Stack } from 'aws-cdk-lib'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { audit } from '../../infra/audit.ts'

// A queue that takes requests without TLS, which no one has acknowledged.
const app = new App()
new Queue(new Stack(app, 'unacknowledged'), 'Queue')
audit(app)
