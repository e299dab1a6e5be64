import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { synthesise } from '../../local/synthesise.ts'

interface ResourceJson {
  Type: string
  Properties: Record<string, unknown>
  Metadata: Record<string, unknown>
}

/** A template as CDK wrote it, to be changed. */
export interface TemplateJson {
  Resources: Record<string, ResourceJson>
}

/** The real stack, synthesised, of which tests make changed copies. */
export interface SynthesisedStack {
  /** The path of the template as it is. */
  readonly path: string
  /** Writes a copy with a change, and with other bundles by the functions' names; gives the copy's path. */
  readonly copy: (change: (template: TemplateJson) => void, bundles?: Record<string, string>) => Promise<string>
  readonly remove: () => Promise<void>
}

export async function synthesiseStack(): Promise<SynthesisedStack> {
  const folder = await mkdtemp(join(tmpdir(), 'price-lookup-stack-'))
  const path = await synthesise(join(folder, 'cdk.out'))
  let copies = 0
  return {
    path,
    async copy(change, bundles = {}) {
      const copy = join(folder, `copy-${copies++}`)
      await mkdir(copy)
      const template: TemplateJson = JSON.parse(await readFile(path, 'utf8'))
      for (const [name, text] of Object.entries(bundles)) {
        resourceAt(template, `${name}/Resource`).Metadata['aws:asset:path'] = await writeBundle(copy, name, text)
      }
      for (const { Metadata } of Object.values(template.Resources)) {
        const asset = Metadata?.['aws:asset:path']
        if (typeof asset === 'string' && asset.startsWith('asset.')) {
          await symlink(join(dirname(path), asset), join(copy, asset)).catch(() => undefined)
        }
      }
      change(template)
      await writeFile(join(copy, 'price-lookup-dev.template.json'), JSON.stringify(template))
      return join(copy, 'price-lookup-dev.template.json')
    },
    remove: () => rm(folder, { recursive: true }),
  }
}

/** Writes a bundle into a folder of its own, and gives that folder's name. */
export async function writeBundle(folder: string, name: string, text: string): Promise<string> {
  await mkdir(join(folder, name))
  await writeFile(join(folder, name, 'index.mjs'), text)
  return name
}

/** Finds a resource by the construct path that CDK notes, without the stack's name. */
export function resourceAt(template: TemplateJson, path: string): ResourceJson {
  const found = Object.values(template.Resources).find(
    ({ Metadata }) => Metadata?.['aws:cdk:path'] === `price-lookup-dev/${path}`,
  )
  if (found === undefined) throw new Error(`No resource at ${path}`)
  return found
}

/** Finds the settings that the stage has for one method. */
export function settingsOf(template: TemplateJson, resourcePath: string, httpMethod: string): Record<string, unknown> {
  const { MethodSettings } = resourceAt(template, 'Api/DeploymentStage.v1/Resource').Properties
  const found = (MethodSettings as Record<string, unknown>[]).find(
    entry => entry['ResourcePath'] === resourcePath && entry['HttpMethod'] === httpMethod,
  )
  if (found === undefined) throw new Error(`No settings of ${httpMethod} ${resourcePath}`)
  return found
}
