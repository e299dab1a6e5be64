import type { Route } from './template/routes.ts'

/** The route of a request, and its path parameters. */
export interface RouteMatch {
  readonly route: Route
  /** As sent, percent-encoding included. Null when the path has none. */
  readonly pathParameters: Readonly<Record<string, string>> | null
}

/**
 * Finds the route of a path below the stage.
 *
 * Segments are compared as sent. A fixed segment takes precedence over a parameter, which matches one segment that is not
 * empty. One slash at the end is ignored.
 */
export function findRoute(routes: readonly Route[], httpMethod: string, path: string): RouteMatch | undefined {
  const segments = toSegments(path)
  const matching = routes.filter(({ resourcePath }) => matches(toSegments(resourcePath), segments))
  const [resourcePath] = matching.map(route => route.resourcePath).toSorted(compareFixedFirst)
  const route = matching.find(route => route.resourcePath === resourcePath && route.httpMethod === httpMethod)
  return route && { route, pathParameters: toPathParameters(toSegments(route.resourcePath), segments) }
}

function toSegments(path: string): readonly string[] {
  return path.replace(/\/$/, '').split('/').slice(1)
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((part, index) => (isParameter(part) ? segments[index] !== '' : segments[index] === part))
}

function isParameter(part: string): boolean {
  return part.startsWith('{')
}

/** Orders paths that match the same request: in the first segment where they differ, one is fixed and the other a parameter. */
function compareFixedFirst(one: string, other: string): number {
  const others = toSegments(other)
  const differing = toSegments(one).findIndex((part, index) => part !== others[index])
  if (differing < 0) return 0
  return isParameter(others[differing] ?? '') ? -1 : 1
}

function toPathParameters(pattern: readonly string[], segments: readonly string[]): RouteMatch['pathParameters'] {
  const entries = pattern.flatMap((part, index) =>
    isParameter(part) ? [[part.slice(1, -1), segments[index] ?? '']] : [],
  )
  return entries.length === 0 ? null : Object.fromEntries(entries)
}
