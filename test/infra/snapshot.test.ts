import { expect, test } from 'vitest'
import { everythingOff, everythingOn, synthesise } from './synthesise.ts'

test.each([
  ['everything on', everythingOn],
  ['everything off', everythingOff],
])('with %s, nothing else has moved', async (name, environment) => {
  const template = JSON.stringify(synthesise(environment).toJSON(), null, 2)
  // What changes with every change of the code, of the board and of the API's description, or with CDK's own version.
  const masked = template
    .replace(/[0-9a-f]{64}/g, '<asset>')
    .replace(/(ApiDeployment[0-9A-F]{8})[0-9a-f]{32}/g, '$1<deployment>')
    .replace(/("(text\/html|application\/json)"): "#set.*"/g, '$1: "<document>"')
    .replace(/'sha256-[\w+/=]+'/g, "'sha256-<hash>'")
  await expect(masked).toMatchFileSnapshot(`snapshots/${name.replace(' ', '-')}.template.json`)
})
