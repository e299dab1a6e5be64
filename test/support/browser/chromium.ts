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

/**
 * Starts the browser. It resolves no host but the loopback address.
 *
 * Three features are disabled because each window would start a spare process and load the two pages of the address bar's
 * suggestions, which takes longer than the board. The other two are from Playwright's own list of disabled features, which
 * this one replaces.
 */
export function launchChromium(): Promise<Browser> {
  const disabled = [
    'SpareRendererForSitePerProcess',
    'WebUIOmniboxPopup',
    'WebUIOmniboxAimPopup',
    'PaintHolding',
    'DestroyProfileOnBrowserClose',
  ]
  // Playwright's routing would disable the browser's cache, which a test needs.
  const alone = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'
  return chromium.launch({
    executablePath: findChromium(),
    args: ['--disable-gpu', alone, `--disable-features=${disabled}`],
  })
}
