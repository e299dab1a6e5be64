import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const folder = fileURLToPath(new URL('../board/', import.meta.url))

/** The board as one page, and the policy that lets just its own script and style into it. */
export interface BoardPage {
  readonly html: string
  readonly contentSecurityPolicy: string
}

/**
 * Builds the board: one page, with its script and its style in it.
 *
 * All of it is plain ASCII, so that no encoding on its way through CloudFormation and API Gateway can change it, and its hashes with it.
 */
export function buildBoardPage(): BoardPage {
  const script = bundle('main.tsx')
  const style = bundle('style.css')
  const page = readFileSync(`${folder}page.html`, 'utf8')
  const html = page
    .replaceAll(/\P{ASCII}/gu, character => `&#${character.codePointAt(0)};`)
    .replace('<!-- style -->', () => `<style>${style}</style>`)
    .replace('<!-- script -->', () => `<script>${script}</script>`)
  return { html: html.trim(), contentSecurityPolicy: toPolicy(script, style) }
}

/** @throws when its text could end the element that it stands in, or begin a comment there. */
function bundle(file: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [`${folder}${file}`],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'ascii',
    legalComments: 'none',
  })
  const text = outputFiles.map(output => output.text.trim()).join('')
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`board/${file} cannot stand inside a page.`)
  return text
}

function toPolicy(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src '${hash(script)}'`,
    `style-src '${hash(style)}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
