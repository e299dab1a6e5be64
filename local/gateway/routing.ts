import type { Route } from '../template/routes.ts'

/** The route of a request, and its path parameters. */
export interface RouteMatch {
  readonly route: Route
  /** As sent, percent-encoding included. Null when the path has none. */
  readonly pathParameters: Readonly<Record<string, string>> | null
}

/** Finds the route of a path below the stage. A path without a parameter takes precedence. One slash at the end is ignored. */
export function findRoute(routes: readonly Route[], httpMethod: string, path: string): RouteMatch | undefined {
  const paths = routes.map(({ resourcePath }) => resourcePath)
  const matching = paths.filter(resourcePath => toPattern(resourcePath).test(path))
  const found = matching.find(resourcePath => !resourcePath.includes('{')) ?? matching[0]
  const route = routes.find(({ resourcePath, ...one }) => resourcePath === found && one.httpMethod === httpMethod)
  if (route === undefined) return undefined
  const { groups } = toPattern(route.resourcePath).exec(path) ?? {}
  return { route, pathParameters: groups === undefined ? null : { ...groups } }
}

/** A text matches as it is sent, a parameter one segment that is not empty. */
function toPattern(resourcePath: string): RegExp {
  const pattern = resourcePath.replace(/\/$/, '').replaceAll('.', '\\.')
  return new RegExp(`^${pattern.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`)
}
