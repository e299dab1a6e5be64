import type { Template } from 'aws-cdk-lib/assertions'
import { expect, test } from 'vitest'
import { type Network, networkFacts, networks, ofEachNetwork } from '../../api/networks.ts'
import { environments } from '../../infra/environments.ts'
import { threads } from '../../infra/functions/route-function.ts'
import { PriceLookupStack } from '../../infra/price-lookup-stack.ts'
import { toVariables } from '../../lambda/settings.ts'
import {
  allOf,
  createApp,
  dependenciesOf,
  outputsOf,
  prod,
  resourcesOf,
  routeFunctionsOf,
  synthesise,
  toReadable,
} from '../support/infra/synthesise.ts'

const template = synthesise(prod, 'prod')
const functions = ['ListPrices', 'GetPrice']

test('prod is protected from deletion, and has its name and the service as tags', () => {
  using app = createApp()
  const stack = new PriceLookupStack(app, 'stack', { name: 'prod', ...prod })
  expect(stack.terminationProtection).toBe(true)
  expect(stack.tags.tagValues()).toEqual({ service: 'price-lookup', environment: 'prod' })
})

test('the stage caches the two price routes for 10 seconds, and limits each method and each address (D21)', () => {
  const uncached = {
    ResourcePath: '/*',
    HttpMethod: '*',
    CachingEnabled: false,
    DataTraceEnabled: false,
    MetricsEnabled: false,
    LoggingLevel: 'ERROR',
    ThrottlingRateLimit: 50,
    ThrottlingBurstLimit: 100,
  }
  const cached = {
    ...uncached,
    HttpMethod: 'GET',
    CachingEnabled: true,
    CacheTtlInSeconds: 10,
    CacheDataEncrypted: true,
    ThrottlingRateLimit: 500,
    ThrottlingBurstLimit: 1_000,
  }
  const routes = ['/~1price', '/~1price~1{symbol}'].map(ResourcePath => ({ ...cached, ResourcePath }))
  expect(allOf(template, 'ApiGateway::Stage')).toEqual([
    {
      RestApiId: '<Api>',
      DeploymentId: '<ApiDeployment>',
      StageName: 'v1',
      CacheClusterEnabled: true,
      CacheClusterSize: '0.5',
      MethodSettings: [uncached, ...routes],
      AccessLogSetting: { DestinationArn: expect.any(String), Format: expect.any(String) },
    },
  ])
  const [acl] = allOf(template, 'WAFv2::WebACL')
  expect(Object(acl).Rules[0].Statement.RateBasedStatement.Limit).toBe(600)
})

test('methods that are not cached have a tenth of the rate, but at least 20 requests a second', () => {
  const [stage] = allOf(synthesise(environments.staging, 'staging'), 'ApiGateway::Stage')
  const others = { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 }
  const cached = { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 }
  expect(stage).toMatchObject({ MethodSettings: [others, cached, cached] })
})

test('the three log groups of prod are kept for a year and outlive the stack; those of staging do neither', () => {
  const logGroupsOf = (of: Template) =>
    Object.values(of.findResources('AWS::Logs::LogGroup')).map(
      ({ DeletionPolicy, UpdateReplacePolicy, Properties }) => [
        Properties.RetentionInDays,
        DeletionPolicy,
        UpdateReplacePolicy,
      ],
    )
  // `RetainExceptOnCreate`: a stack whose first deployment failed leaves none behind.
  expect(logGroupsOf(template)).toEqual(Array(3).fill([365, 'RetainExceptOnCreate', 'Retain']))
  expect(logGroupsOf(synthesise(environments.staging, 'staging'))).toEqual(Array(3).fill([30, 'Delete', 'Delete']))
})

test('the functions have literal parameters and 50 reserved containers', () => {
  const rpcUrlsParameters = ofEachNetwork(network => `/price-lookup/prod/rpc-urls/${network}`)
  const variables = toVariables({ ...prod, rpcUrlsParameters, publicBaseUrl: undefined })
  // No reference to a parameter: `sam local` takes its logical id for its name.
  expect(routeFunctionsOf(template)).toHaveLength(functions.length)
  for (const { MemorySize, Timeout, Environment, ReservedConcurrentExecutions } of routeFunctionsOf(template)) {
    expect({ MemorySize, Timeout, Environment, ReservedConcurrentExecutions }).toEqual({
      MemorySize: 1_024,
      Timeout: 10,
      Environment: { Variables: { ...variables, UV_THREADPOOL_SIZE: String(threads) } },
      ReservedConcurrentExecutions: 50,
    })
  }
})

test('the stack creates a parameter per network, with a literal URL, which is the public one of the chain', () => {
  const urls: Partial<Record<Network, string>> = {
    mainnet: 'https://rpc.mainnet.chain.robinhood.com',
    testnet: 'https://rpc.testnet.chain.robinhood.com',
  }
  expect(allOf(template, 'SSM::Parameter')).toEqual(
    networks.map(network => ({
      Name: `/price-lookup/prod/rpc-urls/${network}`,
      Description: `One to three RPC URLs of the ${network}, in order of preference, separated by spaces`,
      Type: 'String',
      Value: urls[network] ?? networkFacts[network].rpcUrl,
    })),
  )
})

test('the list is cached by network, one price by network and symbol, and no HEAD (D21)', () => {
  const routes = allOf(template, 'ApiGateway::Method').filter(
    ({ Integration }) => Object(Integration).Type === 'AWS_PROXY',
  )
  const invoke = (name: string) =>
    `arn:<AWS::Partition>:apigateway:<AWS::Region>:lambda:path/2015-03-31/functions/<${name}Aliaslive>/invocations`
  const integration = { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST', TimeoutInMillis: 12_000 }
  const network = 'method.request.querystring.network'
  const symbol = 'method.request.path.symbol'
  const method = { RestApiId: '<Api>', AuthorizationType: 'NONE' }
  const list = { ...method, ResourceId: '<Apiprice>' }
  const price = { ...method, ResourceId: '<Apipricesymbol>' }
  expect(routes).toEqual([
    {
      ...list,
      HttpMethod: 'GET',
      Integration: { ...integration, CacheKeyParameters: [network], Uri: invoke('ListPrices') },
      RequestParameters: { [network]: false },
    },
    { ...list, HttpMethod: 'HEAD', Integration: { ...integration, Uri: invoke('ListPrices') } },
    {
      ...price,
      HttpMethod: 'GET',
      Integration: { ...integration, CacheKeyParameters: [network, symbol], Uri: invoke('GetPrice') },
      RequestParameters: { [network]: false, [symbol]: true },
    },
    { ...price, HttpMethod: 'HEAD', Integration: { ...integration, Uri: invoke('GetPrice') } },
  ])
})

test('the API is at API Gateway’s own address, for IPv4 and IPv6, by TLS 1.3 or 1.2 with forward secrecy', () => {
  expect(resourcesOf(template, 'ApiGateway::RestApi')).toEqual({
    Api: {
      Name: 'price-lookup-prod',
      Description: 'Price Lookup',
      EndpointConfiguration: { Types: ['REGIONAL'], IpAddressType: 'dualstack' },
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      EndpointAccessMode: 'STRICT',
    },
  })
})

test('the stage writes an access log without what a caller sends or the caller’s address', () => {
  const [stage] = allOf(template, 'ApiGateway::Stage')
  const { DestinationArn, Format } = Object(stage?.['AccessLogSetting'])
  expect(DestinationArn).toBe('arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:log-group:<AccessLog>')
  for (const [name, variable] of Object.entries<string>(JSON.parse(Format))) {
    expect(variable.replace('$context.', '').replace(/\.(\w)/g, (_, letter) => letter.toUpperCase())).toBe(name)
    expect(variable).not.toMatch(/\.(identity|authorizer|path|protocol|domain\w*|requestOverride|message\w*)\b/)
  }
})

test('the execution log is created before the stage, so that API Gateway does not create it without retention', () => {
  expect(resourcesOf(template, 'Logs::LogGroup')).toMatchObject({
    ApiExecutionLog: { LogGroupName: 'API-Gateway-Execution-Logs_<Api>/v1' },
  })
  expect(Object.values(dependenciesOf(template, 'ApiGateway::Stage'))).toEqual([['ApiExecutionLog']])
})

test('each route is a function with its own role, on the runtime of the tests; both write to one log', () => {
  const all = resourcesOf(template, 'Lambda::Function')
  expect(Object.keys(all)).toEqual([...functions, 'Probe', 'BeforeAllowTraffic'])
  for (const name of functions) {
    expect(all[name]).toMatchObject({
      Runtime: `nodejs${process.versions.node.split('.')[0]}.x`,
      Architectures: ['arm64'],
      Handler: 'index.handler',
      Role: `<${name}Role.Arn>`,
      LoggingConfig: { LogFormat: 'JSON', LogGroup: '<RequestLog>' },
    })
  }
})

test('a route invokes the alias `live`; former versions are kept, but none that was rolled back', () => {
  expect(resourcesOf(template, 'Lambda::Alias')).toEqual(
    Object.fromEntries(
      functions.map(name => [
        `${name}Aliaslive`,
        { FunctionName: `<${name}>`, FunctionVersion: `<${name}CurrentVersion.Version>`, Name: 'live' },
      ]),
    ),
  )
  const versions = Object.values(template.findResources('AWS::Lambda::Version'))
  // A version that a rollback kept would make the next deployment of the same code fail: Lambda publishes it only once.
  const policies = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' }
  expect(versions).toEqual([expect.objectContaining(policies), expect.objectContaining(policies)])
})

test('a new version gets 10 % of the requests for five minutes; three alarms roll it back', () => {
  const group = (name: string) => [
    `Canary${name}`,
    expect.objectContaining({
      ApplicationName: '<Canary>',
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      AlarmConfiguration: {
        Enabled: true,
        Alarms: ['functionerrors', 'notconfigured', 'internal'].map(id => ({ Name: `<Alarm${id}>` })),
      },
      AutoRollbackConfiguration: { Enabled: true, Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'] },
    }),
  ]
  expect(Object.entries(resourcesOf(template, 'CodeDeploy::DeploymentGroup'))).toEqual([
    group('listprices'),
    group('getprice'),
  ])
  const policies = Object.values(template.findResources('AWS::Lambda::Alias')).map(({ UpdatePolicy }) => UpdatePolicy)
  expect(toReadable(policies)).toEqual(
    ['listprices', 'getprice'].map(name => ({
      CodeDeployLambdaAliasUpdate: {
        ApplicationName: '<Canary>',
        DeploymentGroupName: `<Canary${name}>`,
        BeforeAllowTrafficHook: '<BeforeAllowTraffic>',
      },
    })),
  )
})

test('before a new version gets requests, a function invokes both new versions, and reports to CodeDeploy', () => {
  const [list, price] = functions.map(name => `<${name}CurrentVersion>`)
  const versions = { '/price': list, '/price/{symbol}': price }
  const everyVersion = ['', ':*'].flatMap(suffix => ['GetPrice', 'ListPrices'].map(name => `<${name}.Arn>${suffix}`))
  expect(resourcesOf(template, 'Lambda::Function')['BeforeAllowTraffic']).toMatchObject({
    MemorySize: 512,
    Timeout: 4 * 12 * networks.length + 12,
    LoggingConfig: { LogGroup: '<RequestLog>' },
    Environment: { Variables: { VERSIONS: JSON.stringify(versions) } },
  })
  const group = 'arn:<AWS::Partition>:codedeploy:<AWS::Region>:<AWS::AccountId>:deploymentgroup:<Canary>'
  expect(resourcesOf(template, 'IAM::Policy')['BeforeAllowTrafficRoleDefaultPolicy']).toMatchObject({
    PolicyDocument: {
      Statement: [
        { Action: ['logs:CreateLogStream', 'logs:PutLogEvents'], Resource: '<RequestLog.Arn>' },
        { Action: 'lambda:InvokeFunction', Resource: everyVersion },
        {
          Action: 'codedeploy:PutLifecycleEventHookExecutionStatus',
          Resource: expect.arrayContaining([`${group}/<Canarylistprices>`, `${group}/<Canarygetprice>`]),
        },
      ],
    },
  })
  // The alias moves after CodeDeploy may invoke the hook, and the hook has its versions, and before them its permissions.
  const toRole = (name: string) => [`Canary${name}ServiceRoleDefaultPolicy`, `Canary${name}ServiceRole`]
  expect(dependenciesOf(template, 'Lambda::Alias')).toEqual({
    ListPricesAliaslive: ['BeforeAllowTraffic', ...toRole('listprices')],
    GetPriceAliaslive: ['BeforeAllowTraffic', ...toRole('getprice')],
  })
  expect(dependenciesOf(template, 'Lambda::Function')['BeforeAllowTraffic']).toContain(
    'BeforeAllowTrafficRoleDefaultPolicy',
  )
})

test('the deployment of the stage waits for the aliases: pages and gateway responses change after the canary', () => {
  const [waited = []] = Object.values(dependenciesOf(template, 'ApiGateway::Deployment'))
  const methods = Object.entries(resourcesOf(template, 'ApiGateway::Method'))
  const routes = methods.filter(([, method]) => Object(method).Integration.Type === 'AWS_PROXY')
  expect(routes).toHaveLength(4)
  expect(waited).toEqual(expect.arrayContaining(routes.map(([id]) => id)))
})

test('only its own route may invoke a function', () => {
  const api = 'arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<Api>/<ApiDeploymentStagev1>'
  const permission = (name: string, route: string) => ({
    Action: 'lambda:InvokeFunction',
    FunctionName: `<${name}Aliaslive>`,
    Principal: 'apigateway.amazonaws.com',
    SourceArn: `${api}/${route}`,
  })
  expect(allOf(template, 'Lambda::Permission')).toEqual([
    permission('ListPrices', 'GET/price'),
    permission('ListPrices', 'HEAD/price'),
    permission('GetPrice', 'GET/price/*'),
    permission('GetPrice', 'HEAD/price/*'),
    expect.objectContaining({ FunctionName: '<Probe.Arn>', Principal: 'events.amazonaws.com' }),
  ])
})

test('a function may write the request log and read the parameters; the probe may write the log', () => {
  const trust = { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } }
  const role = { AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [trust] } }
  expect(resourcesOf(template, 'IAM::Role')).toMatchObject({ ListPricesRole: role, GetPriceRole: role })
  const parameters = 'arn:<AWS::Partition>:ssm:<AWS::Region>:<AWS::AccountId>:parameter/price-lookup/prod/rpc-urls/*'
  const write = {
    Effect: 'Allow',
    Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    Resource: '<RequestLog.Arn>',
  }
  const read = { Effect: 'Allow', Action: 'ssm:GetParameters', Resource: parameters }
  const policy = (name: string, ...Statement: object[]) => ({
    PolicyName: expect.any(String),
    Roles: [`<${name}Role>`],
    PolicyDocument: { Version: '2012-10-17', Statement },
  })
  const policies = resourcesOf(template, 'IAM::Policy')
  expect([...functions, 'Probe'].map(name => policies[`${name}RoleDefaultPolicy`])).toEqual([
    ...functions.map(name => policy(name, write, read)),
    policy('Probe', write),
  ])
  // The roles, and with them the functions, wait for the parameters: no reference in the policy makes them.
  const waited = dependenciesOf(template, 'IAM::Role')
  for (const name of functions)
    expect(waited[`${name}Role`]).toEqual(networks.map(network => `RpcUrls${network}`).toSorted())
})

test('the outputs are the base URL, the log of the functions, and the name and the version of each function', () => {
  const toOutput = (Value: string) => ({ Value, Description: expect.any(String) })
  expect(outputsOf(template)).toEqual({
    BaseUrl: toOutput('https://<Api>.execute-api.<AWS::Region>.<AWS::URLSuffix>/v1'),
    RequestLogName: toOutput('<RequestLog>'),
    ListPricesFunction: toOutput('<ListPrices>'),
    ListPricesVersion: toOutput('<ListPricesCurrentVersion.Version>'),
    GetPriceFunction: toOutput('<GetPrice>'),
    GetPriceVersion: toOutput('<GetPriceCurrentVersion.Version>'),
  })
})

test('the probe runs every five minutes; a failed run is not repeated, so that its alarm needs two', () => {
  expect(allOf(template, 'Events::Rule')).toEqual([
    { ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED', Targets: [{ Arn: '<Probe.Arn>', Id: 'Target0' }] },
  ])
  expect(resourcesOf(template, 'Lambda::Function')['Probe']).toMatchObject({
    LoggingConfig: { LogGroup: '<RequestLog>' },
    Role: '<ProbeRole.Arn>',
    MemorySize: 512,
    Timeout: 15 * 2 * networks.length + 10,
    Environment: { Variables: { PUBLIC_BASE_URL: 'https://<Api>.execute-api.<AWS::Region>.<AWS::URLSuffix>/v1' } },
  })
  // With a domain, its URL does not refer to the stage.
  expect(dependenciesOf(template, 'Lambda::Function')['Probe']).toContain('ApiDeploymentStagev1')
  expect(allOf(template, 'Lambda::EventInvokeConfig')).toEqual([
    { FunctionName: '<Probe>', Qualifier: '$LATEST', MaximumRetryAttempts: 0 },
  ])
})
