import type { Route } from '../template/routes.ts'

/** The route of a request, and its path parameters. */
export interface RouteMatch {
  readonly route: Route
  /** As sent, percent-encoding included. Null when the path has none. */
  readonly pathParameters: Readonly<Record<string, string>> | null
}

/** Finds the only route of a method and a path below the stage. One slash at the end is ignored. */
export function findRoute(routes: readonly Route[], httpMethod: string, path: string): RouteMatch | undefined {
  for (const route of routes.filter(candidate => candidate.httpMethod === httpMethod)) {
    const match = toPattern(route.resourcePath).exec(path)
    if (match !== null) return { route, pathParameters: match.groups === undefined ? null : { ...match.groups } }
  }
  return undefined
}

/** A text matches as it is sent, a parameter one segment that is not empty. */
function toPattern(resourcePath: string): RegExp {
  const pattern = resourcePath.replace(/\/$/, '').replaceAll('.', '\\.')
  return new RegExp(`^${pattern.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`)
}
