import { Aws, CfnOutput, Duration, Stack, Validations } from 'aws-cdk-lib'
import { type MethodDeploymentOptions, MethodLoggingLevel, RestApi } from 'aws-cdk-lib/aws-apigateway'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { freshSeconds } from '../api/headers.ts'
import { type Network, networks, ofEachNetwork } from '../api/networks.ts'
import { priceRoutes, stageName } from '../api/routes.ts'
import type { NamedEnvironment } from './environments.ts'
import { addCanary } from './functions/canary.ts'
import { createRouteFunction, type RouteFunction } from './functions/route-function.ts'
import { createRpcUrlsParameter, type RpcUrlsParameter } from './functions/rpc-urls-parameters.ts'
import { addCustomDomain, endpointConfiguration, setTlsPolicy } from './gateway/custom-domain.ts'
import { addDocuments } from './gateway/documents.ts'
import { addPriceRoute } from './gateway/methods.ts'
import { addGatewayResponses } from './gateway/responses.ts'
import { addWebAcl } from './gateway/web-acl.ts'
import { createExecutionLog, createLogs, toAccessLogOptions } from './monitoring/logs.ts'
import { addMonitoring } from './monitoring/monitoring.ts'

/**
 * The service in one environment: a REST API with two functions and three documents, whose stage caches prices for ten
 * seconds.
 */
export class PriceLookupStack extends Stack {
  constructor(scope: Construct, id: string, environment: NamedEnvironment) {
    super(scope, id, {
      env: { account: environment.account ?? Aws.ACCOUNT_ID, region: environment.region ?? Aws.REGION },
      description: 'Price Lookup: on-chain price feeds of tokenized stocks, as JSON',
      terminationProtection: environment.production,
      tags: { service: 'price-lookup', environment: environment.name },
    })
    Validations.of(this).acknowledge(
      { id: 'Serverless::Serverless-LambdaTracing', reason: withoutTraces },
      { id: 'Serverless::Serverless-APIGWXrayEnabled', reason: withoutTraces },
    )
    const rpcUrls = ofEachNetwork(network => createRpcUrlsParameter(this, network, environment))
    const logs = createLogs(this, environment)
    const api = createApi(this, environment, logs.accessLog)
    setTlsPolicy(api)
    const publicBaseUrl = environment.domain && `https://${environment.domain.name}`
    const shared = { environment, rpcUrls, publicBaseUrl, logGroup: logs.requestLog }
    const functions = priceRoutes.map(route => createRouteFunction(this, route, shared))

    const baseUrl = publicBaseUrl ?? toStageUrl(api)
    addGatewayResponses(api, baseUrl)
    for (const routeFunction of functions) addPriceRoute(api, routeFunction)
    addDocuments(api, baseUrl, publicBaseUrl === undefined ? `/${stageName}` : '')

    if (environment.domain !== undefined) addCustomDomain(api, environment.domain)
    addWebAcl(api, environment)
    const alarms = addMonitoring(this, { environment, stage: api.deploymentStage, logs, functions, rpcUrls, baseUrl })
    if (environment.canary) addCanary(this, alarms, { functions, logGroup: logs.requestLog, publicBaseUrl })
    new CfnOutput(this, 'BaseUrl', { value: baseUrl, description: 'Base URL of GET /price' })
    new CfnOutput(this, 'RequestLogName', { value: logs.requestLog.logGroupName, description: 'Log of the functions' })
    addRpcUrlsOutputs(this, rpcUrls)
    addFunctionOutputs(this, functions)
  }
}

/** Adds the outputs for changing RPC URLs by hand: the name of the parameter of each network. */
function addRpcUrlsOutputs(scope: Construct, rpcUrls: Readonly<Record<Network, RpcUrlsParameter>>): void {
  for (const network of networks) {
    const id = `RpcUrls${network.replace(/^\w/, letter => letter.toUpperCase())}`
    const description = `Parameter with the RPC URLs of the ${network}`
    new CfnOutput(scope, id, { value: rpcUrls[network].name, description })
  }
}

/** Adds the outputs for moving an alias by hand: the name of each function, and the version that the stack deployed. */
function addFunctionOutputs(scope: Construct, functions: readonly RouteFunction[]): void {
  for (const { route, handler } of functions) {
    const { id } = handler.node
    const { version } = handler.currentVersion
    new CfnOutput(scope, `${id}Function`, { value: handler.functionName, description: `Function of ${route.handler}` })
    new CfnOutput(scope, `${id}Version`, { value: version, description: `Version of ${route.handler}` })
  }
}

function createApi(scope: Construct, environment: NamedEnvironment, accessLog: LogGroup): RestApi {
  const { name, cache } = environment
  const api = new RestApi(scope, 'Api', {
    restApiName: `price-lookup-${name}`,
    description: 'Price Lookup',
    endpointConfiguration,
    cloudWatchRole: false,
    deployOptions: {
      stageName,
      ...toAccessLogOptions(accessLog),
      cacheClusterEnabled: cache,
      ...(cache ? { cacheClusterSize: '0.5' } : {}),
      methodOptions: toMethodOptions(environment),
    },
  })
  createExecutionLog(api, stageName, environment)
  Validations.of(api).acknowledge(
    { id: 'AwsSolutions::AwsSolutions-APIG2', reason: withoutValidation },
    { id: 'AwsSolutions::AwsSolutions-APIG4', reason: withoutAuthorization },
    { id: 'AwsSolutions::AwsSolutions-COG4', reason: withoutAuthorization },
  )
  // RestApi adds an output with the stage's URL. The output BaseUrl replaces it.
  api.node.tryRemoveChild('Endpoint')
  return api
}

/** Returns the settings of the methods, each complete: a method inherits no setting of the stage. */
function toMethodOptions({ cache, throttling }: NamedEnvironment): Record<string, MethodDeploymentOptions> {
  const uncached = {
    cachingEnabled: false,
    // Callers need few requests of these methods: HEAD reads the chain each time, and documents are large.
    throttlingRateLimit: Math.max(20, throttling.requestsPerSecond / 10),
    throttlingBurstLimit: Math.max(40, throttling.burst / 10),
    loggingLevel: MethodLoggingLevel.ERROR,
    dataTraceEnabled: false,
    metricsEnabled: false,
  }
  const cacheTtl = Duration.seconds(freshSeconds)
  const cached = {
    ...uncached,
    cachingEnabled: cache,
    cacheTtl,
    cacheDataEncrypted: true,
    throttlingRateLimit: throttling.requestsPerSecond,
    throttlingBurstLimit: throttling.burst,
  }
  return { '/*/*': uncached, ...Object.fromEntries(priceRoutes.map(({ path }) => [`${path}/GET`, cached])) }
}

const withoutValidation =
  'No request needs a body, and none can lack a required parameter. ' +
  'The functions validate the network and the symbol, and respond with problems that the gateway cannot write.'
const withoutTraces =
  'The request log has what Parameter Store and the chain took, the access log the latencies of the gateway.'
const withoutAuthorization =
  'The specification defines a public, read-only API without keys or accounts, for any origin, without private data.'

/** Returns the stage's own URL. It refers to the API but not to its stage, which depends on resources with the URL. */
function toStageUrl(api: RestApi): string {
  const { region, urlSuffix } = api.stack
  return `https://${api.restApiId}.execute-api.${region}.${urlSuffix}/${stageName}`
}
