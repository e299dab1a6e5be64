import { FunctionFailed, type WarmContainer } from './warm-container.ts'

/** The containers of one function: as many as it has had invocations at once. */
export interface ContainerPool {
  /** Runs one invocation in a container that has no other. */
  readonly invoke: (event: string) => Promise<string>
  readonly stop: () => Promise<void>
}

/** How many containers a function may have: on a laptop, fewer than in Lambda. */
const maxContainers = 20

/** Creates containers when all that there are have an invocation; beyond the bound, invocations wait. */
export function createContainerPool(create: () => WarmContainer): ContainerPool {
  const containers = new Set<WarmContainer>()
  const idle: WarmContainer[] = []
  const waiting: (() => void)[] = []
  let stopped = false

  async function take(): Promise<WarmContainer> {
    for (;;) {
      if (stopped) throw new FunctionFailed('was stopped.')
      const warm = idle.pop()
      if (warm?.isAlive()) return warm
      forgetDead()
      if (warm === undefined && containers.size < maxContainers) {
        const cold = create()
        containers.add(cold)
        return cold
      }
      if (warm === undefined) await new Promise<void>(resolve => waiting.push(resolve))
    }
  }

  function giveBack(container: WarmContainer): void {
    if (container.isAlive()) idle.push(container)
    waiting.shift()?.()
  }

  function forgetDead(): void {
    for (const container of containers) if (!container.isAlive()) containers.delete(container)
  }

  return {
    async invoke(event) {
      const container = await take()
      return container.invoke(event).finally(() => giveBack(container))
    },
    async stop() {
      stopped = true
      for (const wake of waiting.splice(0)) wake()
      await Promise.all([...containers].map(container => container.stop()))
    },
  }
}
