import { feedAuthors } from '../../api/feed-authors.ts'

/** The authors of the feeds, and what they state of them. */
export function Authors() {
  return (
    <>
      {`${feedAuthors.name}, which `}
      <a href={`${feedAuthors.url}/README.md`}>calls its feeds unaudited</a>
      {` (${feedAuthors.date})`}
    </>
  )
}
