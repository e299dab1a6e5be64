import type { Template } from '../../local/template/template.ts'

/**
 * Removes the throttling from a template.
 *
 * @param cacheTtlMs replaces the TTL of the cached routes
 */
export function toUnthrottled(template: Template, cacheTtlMs?: number): Template {
  const throttling = { requestsPerSecond: 1e6, burst: 1e6 }
  const routes = template.routes.map(route => {
    const { cacheTtlMs: ttlMs } = route.settings
    return { ...route, settings: { throttling, cacheTtlMs: ttlMs === undefined ? undefined : (cacheTtlMs ?? ttlMs) } }
  })
  return { ...template, routes }
}
