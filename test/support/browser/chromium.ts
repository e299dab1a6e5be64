import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** @throws {Error} if there is no browser. The message contains the remedy. */
function findChromium(): string {
  const named = process.env['CHROMIUM']
  const possible = named ? [named] : places
  const found = possible.find(path => existsSync(path))
  if (found !== undefined) return found
  const remedy = 'Install one with `apt-get install chromium`, or set CHROMIUM to the path of one.'
  throw new Error(`There is no Chromium at ${possible.join(', ')}. ${remedy}`)
}

/**
 * Starts the browser. It resolves no host but the loopback address.
 *
 * Three features are disabled because each window would start a spare process and load the two pages of the address
 * bar's suggestions, which takes longer than the board. The other two are from Playwright's own list of disabled
 * features, which this one replaces.
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
