import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A process of ours that answers questions, one at a time. */
export interface Child<question, answer> {
  readonly ask: (question: question) => Promise<answer>
  /** Lets it end by itself, and waits until it has. */
  readonly stop: () => Promise<void>
}

/** How a process is started. */
export interface ChildOptions {
  /** Added to the environment. */
  readonly variables?: Readonly<Record<string, string>>
  /** Node's own options. */
  readonly nodeOptions?: readonly string[]
}

/** Starts one of the files beside this one as a process of its own. */
export function startChild<question, answer>(
  file: string,
  { variables = {}, nodeOptions = [] }: ChildOptions = {},
): Child<question, answer> {
  const process = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: { ...globalThis.process.env, ...variables },
    execArgv: [...nodeOptions],
    // What a function logs goes nowhere; what breaks it is shown.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(process, 'exit').then(([code]) => code)
  const broken = ended.then((code): never => {
    throw new Error(`${file} ended with exit code ${code}.`)
  })
  broken.catch(() => undefined)
  const ready = once(process, 'message')
  return {
    async ask(question) {
      await Promise.race([ready, broken])
      const answered = once(process, 'message')
      process.send(JSON.stringify(question))
      const [text] = await Promise.race([answered, broken])
      return JSON.parse(String(text))
    },
    async stop() {
      if (process.connected) process.disconnect()
      await ended
    },
  }
}

/** Answers the questions of the process that started this one, until it lets go. */
export function answerParent<question, answer>(answer: (question: question) => answer | Promise<answer>): void {
  process.on('message', async text => {
    const question: question = JSON.parse(String(text))
    process.send?.(JSON.stringify(await answer(question)))
  })
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}
