const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const

/** Formats a duration in its two largest units: `48 d 19 h`, `2 h 5 min`, `42 s`. */
export function formatAge(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const index = units.findIndex(([, size]) => whole >= size)
  const [name, size] = units[index] ?? ['s', 1]
  const [smallerName, smallerSize] = units[index + 1] ?? ['s', 1]
  const rest = Math.floor((whole % size) / smallerSize)
  return `${Math.floor(whole / size)} ${name}${rest === 0 ? '' : ` ${rest} ${smallerName}`}`
}
