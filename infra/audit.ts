import { type App, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import type { IConstruct } from 'constructs'

/** Holds everything that is synthesised against the rules of AWS Solutions and of Serverless: a finding fails the synthesis. */
export function audit(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(), new ServerlessChecks())
}

/** Acknowledges one finding, with the reason why it is right as it is. */
export function acknowledge(construct: IConstruct, id: string, reason: string): void {
  Validations.of(construct).acknowledge({ id, reason })
}
