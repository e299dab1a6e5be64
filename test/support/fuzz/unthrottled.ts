import type { Template } from '../../../local/template/template.ts'

/** Removes the throttling from a template. */
export function toUnthrottled(template: Template): Template {
  const throttling = { requestsPerSecond: 1e6, burst: 1e6 }
  const routes = template.routes.map(({ settings, ...route }) => ({ ...route, settings: { ...settings, throttling } }))
  return { ...template, routes }
}
