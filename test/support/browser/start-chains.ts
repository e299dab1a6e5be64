import type { TestProject } from 'vitest/node'
import { ofEachNetwork } from '../../../lambda/networks.ts'
import { startSandbox } from '../../../local/sandbox.ts'
import type { Template } from '../../../local/template/template.ts'
import { findChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The synthesised stack. */
    readonly template: Template
    /** The RPC URLs of the embedded chains. */
    readonly rpcUrls: Readonly<Record<'mainnet' | 'testnet', string>>
  }
}

/** Synthesises the stack and starts the chains once for all tests. Each worker has its own deployment on top. */
export default async function startChains(project: TestProject): Promise<() => Promise<void>> {
  findChromium()
  const sandbox = await startSandbox(ofEachNetwork(() => 'embedded'))
  const { template, chains } = sandbox
  project.provide('template', template)
  project.provide('rpcUrls', { mainnet: chains.mainnet?.rpcUrl ?? '', testnet: chains.testnet?.rpcUrl ?? '' })
  return async () => sandbox[Symbol.asyncDispose]()
}
