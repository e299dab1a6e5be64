import { vi } from 'vitest'

/** Tells the real Parameter Store client of a stand-in; `vi.unstubAllEnvs()` makes it forget. */
export function stubParameterStore(url: string): void {
  vi.stubEnv('AWS_ENDPOINT_URL_SSM', url)
  vi.stubEnv('AWS_REGION', 'us-east-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test')
}
