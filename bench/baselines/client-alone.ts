export { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm'
