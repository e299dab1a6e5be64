import { CfnOutput, Duration, Stack } from 'aws-cdk-lib'
import {
  Cors,
  EndpointType,
  type IResource,
  LambdaIntegration,
  type MethodDeploymentOptions,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import type { NamedEnvironment } from './environments.ts'
import { addGatewayResponses } from './gateway-responses.ts'
import { createRouteFunction } from './route-function.ts'
import { createRpcUrlsParameter } from './rpc-urls-parameters.ts'

/** The request parameters that a route's answer depends on, and whether each is required: the cache's key. */
type CacheKey = Readonly<Record<string, boolean>>

const listKey: CacheKey = { 'method.request.querystring.network': false }
const priceKey: CacheKey = { ...listKey, 'method.request.path.symbol': true }

/** The service in one environment: two functions behind a REST API whose stage caches answers for ten seconds. */
export class PriceLookupStack extends Stack {
  constructor(scope: Construct, id: string, environment: NamedEnvironment) {
    super(scope, id, {
      description: 'Price Lookup: on-chain price feeds of tokenized stocks, as JSON',
      terminationProtection: environment.terminationProtection,
      tags: { service: 'price-lookup', environment: environment.name },
    })
    const rpcUrls = {
      mainnet: createRpcUrlsParameter(this, 'mainnet', environment),
      testnet: createRpcUrlsParameter(this, 'testnet', environment),
    }
    const listPrices = createRouteFunction(this, 'ListPrices', { file: 'list-prices', environment, rpcUrls })
    const getPrice = createRouteFunction(this, 'GetPrice', { file: 'get-price', environment, rpcUrls })

    const api = createApi(this, environment)
    addGatewayResponses(api)
    const prices = api.root.addResource('price')
    addRoute(prices, listPrices.handler, listKey)
    addRoute(prices.addResource('{symbol}'), getPrice.handler, priceKey)

    const { stageName } = api.deploymentStage
    new CfnOutput(this, 'BaseUrl', {
      value: `https://${api.restApiId}.execute-api.${this.region}.${this.urlSuffix}/${stageName}`,
      description: 'Where GET /price is',
    })
  }
}

function createApi(scope: Construct, { name, cache, throttling }: NamedEnvironment): RestApi {
  // Each method's settings are whole, because they inherit nothing from the stage's.
  const uncached: MethodDeploymentOptions = {
    cachingEnabled: false,
    throttlingRateLimit: throttling.requestsPerSecond,
    throttlingBurstLimit: throttling.burst,
  }
  const cached = { ...uncached, cachingEnabled: cache, cacheTtl: Duration.seconds(10), cacheDataEncrypted: true }
  const api = new RestApi(scope, 'Api', {
    restApiName: `price-lookup-${name}`,
    description: 'Price Lookup',
    endpointTypes: [EndpointType.REGIONAL],
    cloudWatchRole: false,
    deployOptions: {
      stageName: 'v1',
      cacheClusterEnabled: cache,
      ...(cache ? { cacheClusterSize: '0.5' } : {}),
      methodOptions: { '/*/*': uncached, '/price/GET': cached, '/price/{symbol}/GET': cached },
    },
  })
  // The output that every RestApi brings: ours says the same by its right name.
  api.node.tryRemoveChild('Endpoint')
  return api
}

function addRoute(resource: IResource, handler: IFunction, cacheKey: CacheKey): void {
  const integration = new LambdaIntegration(handler, {
    cacheKeyParameters: Object.keys(cacheKey),
    allowTestInvoke: false,
    // Longer than the function's own 10 seconds.
    timeout: Duration.seconds(12),
  })
  resource.addMethod('GET', integration, { requestParameters: { ...cacheKey } })
  resource.addCorsPreflight({
    allowOrigins: Cors.ALL_ORIGINS,
    allowMethods: ['GET'],
    allowHeaders: ['*'],
    maxAge: Duration.minutes(10),
  })
}
