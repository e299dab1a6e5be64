import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const folder = fileURLToPath(new URL('../board/', import.meta.url))

/** The board as one page, and the policy that allows its own script and style only. */
export interface BoardPage {
  readonly html: string
  readonly contentSecurityPolicy: string
}

/**
 * Builds the board: one page with inline script and style.
 *
 * It is ASCII, so that no encoding in CloudFormation or API Gateway can change it and invalidate the hashes of its policy.
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

/** @throws {Error} when the text could end its inline element, or begin a comment in it */
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
  if (/<\/(script|style)|<!--/i.test(text))
    throw new Error(`board/${file} cannot be inlined: it contains a closing tag or the start of a comment.`)
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
