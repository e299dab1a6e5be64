import { Duration, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { RestApi } from 'aws-cdk-lib/aws-apigateway'
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { vi } from 'vitest'
import type { Environment } from '../../infra/environments.ts'
import { addMonitoring } from '../../infra/monitoring.ts'
import type { LogFields } from '../../lambda/handlers/request-log.ts'
import { createApp } from './synthesise.ts'

/** Monitors two functions behind an API. */
export function monitor(environment: Environment, { name = 'test', timeout = Duration.seconds(10) } = {}): Template {
  const stack = new Stack(createApp(), 'monitored')
  const api = new RestApi(stack, 'Api', { restApiName: 'price-lookup-test', deployOptions: { stageName: 'v1' } })
  api.root.addMethod('GET')
  const routes = ['list-prices', 'get-price'].map(route => {
    const logGroup = new LogGroup(stack, `${route}-log`)
    const code = { runtime: Runtime.NODEJS_24_X, handler: 'index.handler', code: Code.fromInline('no code') }
    return { name: route, logGroup, handler: new LambdaFunction(stack, route, { ...code, logGroup, timeout }) }
  })
  addMonitoring(stack, { environment: { name, ...environment }, api, routes })
  return Template.fromStack(stack)
}

/** What Lambda writes while something is done, as CloudWatch Logs reads it. */
export async function eventsOf(work: () => unknown): Promise<object[]> {
  const events: object[] = []
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation(message => {
      const event = { timestamp: '2026-10-03T22:30:00.789Z', level: level.toUpperCase(), requestId: 'id', message }
      events.push(JSON.parse(JSON.stringify(event)))
    })
  }
  await work()
  return events
}

/** The log fields of a request that succeeds. */
export const healthy: LogFields = {
  network: 'mainnet',
  symbol: 'CRWD',
  block: 1,
  headAgeSeconds: 0,
  endpoint: 'rpc-1',
  lastResort: false,
  round: 1,
  attempts: 1,
  requests: 1,
  faults: [],
  unreadable: [],
  ssmMs: 0,
  rpcMs: 120,
}
