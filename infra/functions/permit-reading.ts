import type { Function as NodeFunction } from 'aws-cdk-lib/aws-lambda'
import type { IConstruct } from 'constructs'
import type { NamedEnvironment } from '../environments.ts'
import { acknowledgeWildcard } from './acknowledge-wildcard.ts'
import { toReadStatements, toRpcUrlsArn } from './rpc-urls-parameters.ts'

/**
 * Permits a function to read the RPC URLs of its environment.
 *
 * @returns what has the permissions: the role of the function
 */
export function permitReading(handler: NodeFunction, environment: NamedEnvironment): IConstruct {
  for (const statement of toReadStatements(handler, environment)) handler.addToRolePolicy(statement)
  const reason = 'Every parameter below the path holds RPC URLs of this environment, for this version or another.'
  const role = handler.role ?? handler
  acknowledgeWildcard(role, toRpcUrlsArn(handler, environment), reason)
  return role
}
