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
 * Each window would also load a spare process and the two pages of the address bar's suggestions, which takes more time than
 * the board. The other two features are those of Playwright's own list that matter here, because only one list counts.
 */
export function launchChromium(): Promise<Browser> {
  const disabled = [
    ...['SpareRendererForSitePerProcess', 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
    ...['PaintHolding', 'DestroyProfileOnBrowserClose'],
  ]
  // Not by routing, which disables the browser's cache, so that no test could see its effect.
  const alone = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'
  return chromium.launch({
    executablePath: findChromium(),
    args: ['--disable-gpu', alone, `--disable-features=${disabled}`],
  })
}
