/** What a record has, and an entry with a problem has not. */
const inEveryRecord = '"servesLatestRoundData":'

/** Counts the records of an answer. */
export function countRecords(answer: string): number {
  return answer.split(inEveryRecord).length - 1
}

/** @throws {Error} when an answer had fewer records than it should have, or more: it is not what is to be measured. */
export function proveWhole(records: number, expected: number): void {
  if (records !== expected) throw new Error(`An answer had ${records} records in place of ${expected}.`)
}
