/** The note that the values are those of a local chain (D28). */
export function StandInNote() {
  return (
    <p class="stand-in" role="note">
      <strong>Stand-in data.</strong> Invented prices on a local chain.
      <span class="wide"> Links to the explorer lead to the real one.</span>
    </p>
  )
}
