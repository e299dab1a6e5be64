import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * Finds the browser that the tests run in.
 *
 * @throws {Error} when there is none, with what to do.
 */
export function findChromium(named: string | undefined = process.env['CHROMIUM']): string {
  const found = named ? [named].find(existsSync) : places.find(existsSync)
  if (found !== undefined) return found
  const where = named ? `CHROMIUM names ${named}, and nothing is there` : 'There is no Chromium on this machine'
  throw new Error(`${where}: install one with \`apt-get install chromium\`, or set CHROMIUM to the path of one.`)
}

/** Starts the browser, which asks nobody but the pages' own hosts. */
export function launchChromium(): Promise<Browser> {
  const quiet = ['--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update']
  // Not by routing, which would turn the browser's cache off, so that no test saw what it does.
  const alone = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'
  // Chromium's sandbox refuses to run as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath: findChromium(), args: [...quiet, '--disable-sync', alone, ...sandbox] })
}
