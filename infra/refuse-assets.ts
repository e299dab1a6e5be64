import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const manifestSchema = z.object({
  artifacts: z.record(
    z.string(),
    z.looseObject({
      type: z.string(),
      properties: z.looseObject({ file: z.string().optional() }).optional(),
      additionalMetadataFile: z.string().optional(),
    }),
  ),
})
const assetsSchema = z.object({
  files: z.record(
    z.string(),
    z.looseObject({ source: z.strictObject({ path: z.string(), packaging: z.enum(['file', 'zip']) }) }),
  ),
  dockerImages: z.strictObject({}),
})

/**
 * Refuses an assembly whose assets are not all files. The CDK CLI would run a command that an asset names in place of a
 * path, and build images, both with the token of a job that deploys.
 *
 * @param folder of the assembly
 * @throws {Error} for anything else than one list of files
 */
export function refuseAssets(folder: string, environment: string): void {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  const artifacts = Object.values(manifestSchema.parse(read('manifest.json')).artifacts)
  const lists = artifacts.filter(({ type }) => /asset|assembly/.test(type)).map(({ properties }) => properties?.file)
  const list = `price-lookup-${environment}.assets.json`
  if (lists.join() !== list) throw new Error(`The assembly has the assets ${lists}, not ${list} alone.`)
  const metadata = artifacts.flatMap(({ additionalMetadataFile: file }) => (file === undefined ? [] : read(file)))
  if (JSON.stringify([artifacts, metadata]).includes('container-image')) throw new Error('The assembly has an image.')
  assetsSchema.parse(read(list))
}

if (import.meta.main) {
  const [environment = ''] = process.argv.slice(2)
  refuseAssets(`cdk.out/${environment}`, environment)
}
