/** Of every response: any origin may read it (D20), with the headers that state its age and when to ask again. */
export const cors = { origin: '*', exposeHeaders: 'Retry-After, Date, Age' } as const
