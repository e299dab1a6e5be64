import { expect, test } from 'vitest'
import { environments } from '../../infra/environments.ts'
import { synthesise, typesOf, withoutOwner } from '../support/infra/synthesise.ts'

test('staging and prod have a web ACL, a canary and a probe besides, and prod alone a dashboard', () => {
  const typesIn = (name: keyof typeof environments) => typesOf(synthesise(withoutOwner(environments[name]), name))
  const webAcl = ['WAFv2::WebACL', 'WAFv2::WebACLAssociation']
  const canary = ['CodeDeploy::Application', 'CodeDeploy::DeploymentGroup']
  const probe = ['Events::Rule', 'Lambda::EventInvokeConfig']
  const added = [...webAcl, ...canary, ...probe].map(type => `AWS::${type}`)
  expect(typesIn('staging').symmetricDifference(typesIn('dev'))).toEqual(new Set(added))
  expect(typesIn('prod').symmetricDifference(typesIn('staging'))).toEqual(new Set(['AWS::CloudWatch::Dashboard']))
})

test('no two environments share the name of a resource, so that all fit into one account', () => {
  const names = Object.entries(environments)
    .map(([name, environment]) => synthesise(environment, name))
    .flatMap(template => [...new Set(JSON.stringify(template.toJSON()).match(/[\w/-]*price-lookup[\w/-]*/gi))])
  // The namespace of the problem types and the tag are shared, and name no resource.
  expect(new Set(names.filter((name, index) => names.indexOf(name) < index))).toEqual(new Set(['price-lookup']))
})
