import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { networkFacts, networks } from '../../api/networks.ts'

const workflow = readFileSync('.github/workflows/registry.yml', 'utf8')

test('a pull request that changes the registry compares each network with its contracts, at the chain’s public URL', () => {
  expect(workflow).toContain('\non:\n  pull_request:\n    paths: [lambda/feeds/registry.json]\n\n')
  const compared = workflow.matchAll(/^ +- network: (\S+)\n +rpc-url: (\S+)$/gm)
  expect(Array.from(compared, ([, network, rpcUrl]) => [network, rpcUrl])).toEqual(
    networks.map(network => [network, networkFacts[network].rpcUrl]),
  )
  const commands = workflow.matchAll(/^ +- run: (.*)$/gm)
  expect(Array.from(commands, ([, command]) => command)).toEqual([
    'npm ci --ignore-scripts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub Actions
    'npm run --silent check-rpc -- --network ${{ matrix.network }} ${{ matrix.rpc-url }}',
  ])
})

test('the code of a pull request that changes the registry gets no secret, and a token that reads the repository alone', () => {
  expect(workflow.match(/^ *permissions:\n(?: +.*\n)+/gm)).toEqual(['permissions:\n  contents: read\n'])
  expect(workflow).toMatch(/actions\/checkout@.*\n +with:\n +persist-credentials: false\n/)
  expect(workflow).not.toContain('secrets.')
})

test('each action of the workflows is pinned to one commit', () => {
  const texts = globSync('.github/workflows/*.yml').map(file => readFileSync(file, 'utf8'))
  const used = texts.flatMap(text =>
    Array.from(text.matchAll(/uses: (\S+)@(.*)/g), ([, action, version]) => [action, version]),
  )
  const versions = new Map(used.map(([action, version]) => [action, version]))
  expect(used).toEqual(used.map(([action]) => [action, versions.get(action)]))
  for (const version of versions.values()) expect(version).toMatch(/^[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})
