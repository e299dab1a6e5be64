import { Stack, Validations } from 'aws-cdk-lib'
import type { Construct } from 'constructs'

/**
 * Acknowledges that a policy permits something for several resources.
 *
 * @param scope the role of the policy, or what contains it
 * @param resource of the policy, with its wildcard
 */
export function acknowledgeWildcard(scope: Construct, resource: string, reason: string): void {
  const name = formatResource(Stack.of(scope).resolve(resource))
  Validations.of(scope).acknowledge({ id: `AwsSolutions::AwsSolutions-IAM5[Resource::${name}]`, reason })
}

/** What an ARN is in a template: text, or references in it. */
type Resolved =
  | string
  | { readonly 'Fn::Join': readonly [separator: string, parts: readonly Resolved[]] }
  | { readonly 'Fn::GetAtt': readonly string[] }
  | { readonly Ref: string }

/** Formats a resource as cdk-nag does: `<GetPrice6AD75B64.Arn>:*`. */
function formatResource(resource: Resolved): string {
  if (typeof resource === 'string') return resource
  if ('Ref' in resource) return `<${resource.Ref}>`
  if ('Fn::GetAtt' in resource) return `<${resource['Fn::GetAtt'].join('.')}>`
  const [separator, parts] = resource['Fn::Join']
  return parts.map(formatResource).join(separator)
}
