/** Keys come and go; what a former one signed is good until its time is over. */
import { expect, test } from 'vitest'
import { keyOfSecret, makeSigner } from '../../src/platform/signer.ts'
import { readSetting } from '../../src/store/settings.ts'
import { loadKeys, rotateStoredKey } from '../../src/store/signing-keys.ts'
import { eachBackend, useStore } from '../kit/backends.ts'

const day = 24 * 60 * 60 * 1000
const later = (days: number) => new Date(Date.now() + days * day)

eachBackend((backend) => {
  const store = useStore(backend)
  let made = 0
  const newKey = () => Buffer.from(`key ${++made}`).toString('base64url')
  const load = (now = new Date(), given?: { present: string; former: string | undefined }) =>
    loadKeys(store.db, { given, newKey, now })

  test('a stored key is replaced, and verifies for some days yet', async () => {
    const first = await load()
    expect(await load()).toEqual(first)
    const sealed = makeSigner(first).seal('file', 'x')
    const shared = makeSigner(first).derive('share-key', 'link')

    await rotateStoredKey(store.db, { newKey, now: new Date(), days: 7 })
    const second = await load()
    expect(second.present).not.toBe(first.present)
    const signer = makeSigner(second)
    expect(signer.open('file', sealed)).toBe('x')
    expect(signer.deriveAll('share-key', 'link')).toContain(shared)
    expect(signer.seal('file', 'x')).not.toBe(sealed)

    const third = makeSigner(await load(later(8)))
    expect(third.open('file', sealed)).toBeUndefined()
    expect(third.open('file', signer.seal('file', 'x'))).toBe('x')
  })

  test('a process that runs past the time of a former key stops to believe it', () => {
    const until = new Date(Date.now() - 1).toISOString()
    const sealed = makeSigner({ present: 'b2xk', former: [] }).seal('file', 'x')
    expect(makeSigner({ present: 'bmV3', former: [{ key: 'b2xk', until }] }).open('file', sealed)).toBeUndefined()
    expect(makeSigner({ present: 'bmV3', former: [{ key: 'b2xk' }] }).open('file', sealed)).toBe('x')
  })

  test('the operator’s secret takes the place of the stored key, which is kept only for its last days', async () => {
    const sealed = makeSigner(await load()).seal('file', 'x')
    const given = { present: keyOfSecret('s'.repeat(32)), former: undefined }
    const signer = makeSigner(await load(new Date(), given))
    expect(signer.open('file', sealed)).toBe('x')
    expect(await readSetting(store.db, 'signing-key')).toBeUndefined()
    expect(makeSigner(await load(later(8), given)).open('file', sealed)).toBeUndefined()
    const next = { present: keyOfSecret('t'.repeat(32)), former: given.present }
    expect(makeSigner(await load(later(8), next)).open('file', signer.seal('file', 'y'))).toBe('y')
  })
})
