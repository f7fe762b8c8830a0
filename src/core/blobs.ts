/**
 * What a blob store is: files kept once under the SHA-256 of their bytes, whichever room keeps them (a folder beside
 * SQLite, chunks inside PostgreSQL).
 *
 * Promises of every store:
 * 1. A blob that `put` has acknowledged is on disk, whole; a put that failed or was killed leaves no blob.
 * 2. Bytes stream both ways: no file is held in memory.
 * 3. Equal bytes are stored once, and putting them again makes the blob young again (see `delete`).
 */

export type Bytes = AsyncIterable<Uint8Array>

export interface StoredBlob {
  /** SHA-256 of the bytes, 64 hexadecimal digits. */
  hash: string
  size: number
}

/** First and last byte wanted, both included; from the beginning and to the end when left out. */
export interface ByteRange {
  start?: number | undefined
  end?: number | undefined
}

/** What reading takes: all that a backup needs. */
export interface BlobReader {
  open(hash: string, range?: ByteRange): Promise<Bytes | undefined>
  size(hash: string): Promise<number | undefined>
  /** Every blob, in the order of hashes. */
  list(): AsyncIterable<StoredBlob>
}

export interface BlobStore extends BlobReader {
  /**
   * Stores the bytes; throws `too_large` as soon as more than `limit` have come. A piece is done with when the next is asked
   * for: whoever gives them may use the same memory again.
   */
  put(source: Bytes, options: { limit: number }): Promise<StoredBlob>
  /**
   * Removes a blob, unless it was put after `putBefore` or a backup holds all of them; true when it is gone.
   * Sweeps name a time well in the past, because a blob is put before the row that refers to it is committed.
   * Call it only after the removal of those rows is committed.
   */
  delete(hash: string, options?: { putBefore?: Date | undefined }): Promise<boolean>
  /** Keeps every blob from being deleted until the returned function is called. */
  hold(): Promise<() => Promise<void>>
  /** Removes what puts of killed processes left behind; how many. */
  sweepTemporary(options?: { olderThanMilliseconds?: number }): Promise<number>
}

export const isBlobHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** A put that has not finished in this time was killed. */
export const abandonedMilliseconds = 6 * 60 * 60 * 1000
