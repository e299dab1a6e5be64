import { Stack, Validations } from 'aws-cdk-lib'
import { flattenCfnReference } from 'cdk-nag/lib/utils/flatten-cfn-reference.js'
import type { Construct } from 'constructs'

/**
 * Acknowledges that a policy permits something for several resources.
 *
 * @param scope the role of the policy, or what contains it
 * @param resource the resource that the policy names, with its wildcard
 */
export function acknowledgeWildcard(scope: Construct, resource: string, reason: string): void {
  // The finding names the resource in this form: `<GetPrice6AD75B64.Arn>:*`.
  const name = flattenCfnReference(Stack.of(scope).resolve(resource))
  Validations.of(scope).acknowledge({ id: `AwsSolutions::AwsSolutions-IAM5[Resource::${name}]`, reason })
}
