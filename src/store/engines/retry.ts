/** Why a transaction was undone, for those who may run it again. */
import { ApiError } from '../../core/errors.ts'

/** The transaction met another and was undone: it can run again from the start. */
export class Retry extends Error {}

/** The database cannot be reached: whatever comes next would fail as well. */
export const isAway = (error: unknown): boolean => error instanceof ApiError && error.code === 'storage_unavailable'
