import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSync, formatMessagesSync } from 'esbuild'
import { toContentSecurityPolicy } from '../api/headers.ts'
import type { Examples } from '../api/schemas/openapi.ts'
import { writeParts } from './reference/parts.ts'
import { renderReference } from './reference/render.ts'

/** The icon of the tab, in single quotes: its URL is an attribute in double quotes. */
const iconSvg = [
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>",
  "<rect width='16' height='16' rx='4' fill='#0b57d0'/>",
  "<path d='M3 11l3-4 3 2 4-5' fill='none' stroke='white' stroke-width='1.6'/></svg>",
].join('')
const iconUrl = `data:image/svg+xml,${iconSvg.replaceAll(/[<>#\s]/g, encodeURIComponent)}`

const folder = fileURLToPath(new URL('.', import.meta.url))

/** One page, and the policy that allows its own script and style only. */
export interface Page {
  readonly html: string
  readonly contentSecurityPolicy: string
}

/**
 * Builds the board. Its script contains Preact, whose licence must accompany each copy.
 *
 * The page asks translators to leave it alone. A translator would move texts into elements of its own, which then keep
 * an old price beside the name of another feed.
 */
export function buildBoard(basePath: string): Page {
  const styles = ['board/page.css', 'board/list/list.css', 'board/record/record.css']
  const licence = `<!--\nPreact\n\n${readFile('../node_modules/preact/LICENSE').trim()}\n-->`
  return buildPage(`${readFile('board/page.html')}${licence}`, basePath, 'board/main.tsx', styles)
}

/**
 * Builds the page `/docs`, which is `docs/api.md`, rendered. Its content is HTML, which needs no script to be read.
 *
 * The parts of the document whose facts are in `api` are written anew, so the page is never older than the code.
 */
export function buildReference(basePath: string, examples: Examples): Page {
  const content = renderReference(writeParts(readFile('../docs/api.md'), examples))
  const html = readFile('reference/page.html').replace('<!-- content -->', () => content)
  return buildPage(html, basePath, 'reference/main.ts', ['reference/style.css'])
}

/**
 * The browsers of the last three years (README.md). What they lack in syntax and CSS is replaced, but no function.
 */
const browsers = ['chrome119', 'firefox120', 'safari17.1']

function readFile(file: string): string {
  return readFileSync(`${folder}${file}`, 'utf8')
}

/**
 * Replaces the comments `style` and `script` of a page by files of this folder, and puts the base path before each link
 * that begins with `/`. The icon precedes the style.
 *
 * The page is ASCII, so that no encoding in CloudFormation or API Gateway can change it: its policy has the hashes of
 * its script and its style.
 */
function buildPage(source: string, basePath: string, scriptFile: string, styleFiles: readonly string[]): Page {
  const script = toInline(scriptFile)
  const style = styleFiles.map(toInline).join('')
  const html = source
    .replaceAll(/\P{ASCII}/gu, character => `&#${character.codePointAt(0)};`)
    .replaceAll(' href="/', ` href="${basePath}/`)
    .replace('<!-- style -->', () => `<link rel="icon" href="${iconUrl}">\n<style>${style}</style>`)
    .replace('<!-- script -->', () => `<script>${script}</script>`)
  return { html: html.trim(), contentSecurityPolicy: toContentSecurityPolicy(hash(script), hash(style)) }
}

/** @throws {Error} when the text could end its inline element, or begin a comment in it */
function toInline(file: string): string {
  const text = bundle(file)
  if (/<\/(script|style)|<!--/i.test(text))
    throw new Error(`pages/${file} cannot be inlined: it contains a closing tag or the start of a comment.`)
  return text
}

/** @throws {Error} also for what esbuild only warns of, such as a syntax error in CSS */
function bundle(file: string): string {
  const { outputFiles, warnings } = buildSync({
    entryPoints: [`${folder}${file}`],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: browsers,
    charset: 'ascii',
    legalComments: 'none',
    logLevel: 'error',
  })
  if (warnings.length > 0) throw new Error(formatMessagesSync(warnings, { kind: 'error' }).join(''))
  return outputFiles.map(output => output.text.trim()).join('')
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
