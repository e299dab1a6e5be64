import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * Finds the browser for the tests.
 *
 * @throws {Error} if there is none. The message contains the remedy.
 */
export function findChromium(named: string | undefined = process.env['CHROMIUM']): string {
  const found = named ? [named].find(existsSync) : places.find(existsSync)
  if (found !== undefined) return found
  const where = named ? `CHROMIUM names ${named}, and nothing is there` : 'There is no Chromium on this machine'
  throw new Error(`${where}: install one with \`apt-get install chromium\`, or set CHROMIUM to the path of one.`)
}

/** Starts the browser. It resolves no host but the loopback address. */
export function launchChromium(): Promise<Browser> {
  const quiet = ['--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update']
  // Not by routing, which disables the browser's cache, so that no test could see its effect.
  const alone = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'
  // Chromium's sandbox refuses to run as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath: findChromium(), args: [...quiet, '--disable-sync', alone, ...sandbox] })
}
