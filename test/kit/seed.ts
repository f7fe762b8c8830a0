/**
 * Laws are tried on the same random values each time, so that a red run is about the change and not about luck. To look
 * for new counterexamples: `LAW_SEED=random npx vitest run test/core`, or a number to see one again.
 */
import fc from 'fast-check'

const wanted = process.env.LAW_SEED ?? '20261115'
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) })
