import type { Template } from '../../local/template.ts'

/**
 * Gives a template whose stage lets any number of requests pass.
 *
 * @param cacheTtlMs how long its cache keeps an answer, where it keeps one; as the template says when left out
 */
export function toPatient(template: Template, cacheTtlMs?: number): Template {
  const throttling = { requestsPerSecond: 1e6, burst: 1e6 }
  const routes = template.routes.map(route => {
    const keptMs = route.settings.cacheTtlMs === undefined ? undefined : (cacheTtlMs ?? route.settings.cacheTtlMs)
    return { ...route, settings: { throttling, cacheTtlMs: keptMs } }
  })
  return { ...template, routes }
}
