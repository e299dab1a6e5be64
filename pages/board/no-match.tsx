import { type Network, networks } from '../../api/networks.ts'
import { apiUrl } from './data/requests.ts'
import { formatView, parseView, type View } from './view.ts'

interface NoMatchProps {
  readonly network: Network
  /** What the network does not have. Undefined for a text that cannot be the symbol of a feed on any network. */
  readonly wanted: Pick<View, 'search'> | Pick<View, 'feed'> | undefined
}

/**
 * States that the list of a network has no feed that matches, and links to the same search or feed on the other
 * networks.
 *
 * The board has not requested their lists, so they may have no such feed either. The fragment of a link names the
 * network that it comes from, to which no link leads back. Any change of the view removes the fragment. The links leave
 * out the filter and the order of the rows: a filter could hide the feeds that match.
 */
export function NoMatch({ network, wanted }: NoMatchProps) {
  const others = networks.filter(other => other !== network && location.hash !== `#not-on-${other}`)
  return (
    <>
      <span>{`No feed matches on the ${network}.`}</span>
      {wanted !== undefined &&
        others.map(other => (
          <span key={other}>
            {' '}
            <a href={`${apiUrl}${formatView({ ...parseView(''), network: other, ...wanted })}#not-on-${network}`}>
              {`Look on the ${other}`}
            </a>
          </span>
        ))}
    </>
  )
}
