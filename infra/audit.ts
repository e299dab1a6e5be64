import { type App, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import type { IConstruct } from 'constructs'

/** Checks everything that is synthesised against the rules of AWS Solutions and Serverless. A finding fails the synthesis. */
export function audit(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(), new ServerlessChecks())
}

/** Acknowledges one finding, with the reason why it is accepted. */
export function acknowledge(construct: IConstruct, id: string, reason: string): void {
  Validations.of(construct).acknowledge({ id, reason })
}
