import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { synthesise } from '../../local/synthesise.ts'

/** A property of the template to set: the construct's path in the stack, the property's path, and the value (undefined: delete). */
export type Change = readonly [construct: string, property: string, value: unknown]

interface TemplateJson {
  Resources: Record<string, { Type: string; Properties: JsonObject; Metadata: JsonObject }>
}

type JsonObject = Record<string, unknown>

/** The real stack, synthesised. */
export interface SynthesisedStack {
  /** The path of the template. */
  readonly path: string
  /** Writes a copy with changes, and with other bundles by the functions' names, and returns the path of its template. */
  readonly copy: (changes?: readonly Change[], bundles?: Record<string, string>) => Promise<string>
  readonly remove: () => Promise<void>
}

export async function synthesiseStack(): Promise<SynthesisedStack> {
  const folder = await mkdtemp(join(tmpdir(), 'price-lookup-stack-'))
  const path = await synthesise(join(folder, 'cdk.out'))
  let copies = 0
  return {
    path,
    async copy(changes = [], bundles = {}) {
      const copy = join(folder, `copy-${copies++}`)
      await mkdir(copy)
      const template: TemplateJson = JSON.parse(await readFile(path, 'utf8'))
      for (const [name, text] of Object.entries(bundles)) {
        resourceAt(template, name).Metadata['aws:asset:path'] = await writeBundle(copy, name, text)
      }
      for (const { Metadata } of Object.values(template.Resources)) {
        const asset = String(Metadata?.['aws:asset:path'])
        if (asset.startsWith('asset.')) await symlink(join(dirname(path), asset), join(copy, asset))
      }
      for (const change of changes) apply(template, change)
      await writeFile(join(copy, 'price-lookup-dev.template.json'), JSON.stringify(template))
      return join(copy, 'price-lookup-dev.template.json')
    },
    remove: () => rm(folder, { recursive: true }),
  }
}

/** Writes a bundle into a folder of its own, and returns that folder's name. */
export async function writeBundle(folder: string, name: string, text: string): Promise<string> {
  await mkdir(join(folder, name))
  await writeFile(join(folder, name, 'index.mjs'), text)
  return name
}

/** A change of one method's settings in the stage: `changeSettings('GET /price', 'CachingEnabled', false)`. */
export function changeSettings(
  method: '*' | 'GET /price' | 'GET /price/{symbol}',
  name: string,
  value: unknown,
): Change {
  const index = ['*', 'GET /price', 'GET /price/{symbol}'].indexOf(method)
  return ['Api/DeploymentStage.v1', `MethodSettings ${index} ${name}`, value]
}

function resourceAt({ Resources }: TemplateJson, construct: string) {
  const path = `price-lookup-dev/${construct}/Resource`
  const found = Object.values(Resources).find(({ Metadata }) => Metadata?.['aws:cdk:path'] === path)
  if (found === undefined) throw new Error(`There is no ${path}.`)
  return found
}

/** An empty construct is the template itself. The names of a property's path are separated by spaces. */
function apply(template: TemplateJson, [construct, property, value]: Change): void {
  const names = property.split(' ')
  const last = names.pop() ?? ''
  const resource: JsonObject = construct === '' ? { ...template } : resourceAt(template, construct)
  const parent = construct === '' || names[0] === 'Metadata' ? resource : (resource['Properties'] as JsonObject)
  const target = names.reduce((object, name) => object[name] as JsonObject, parent)
  if (value === undefined) delete target[last]
  else target[last] = value
}
