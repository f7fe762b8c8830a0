/** What tells the first start apart: the name that the server gave the organization, and that nobody was asked yet. */
export const firstTitle = 'My organization'
export const welcomedKey = 'lectern-welcomed'
