// Search on both engines (kit/search-timing.ts): `node bench/search.js`.
import { bundled } from './kit/from-tests.js'

await bundled({ 'search-timing': 'bench/kit/search-timing.ts', reader: 'src/store/reader-thread.ts' })
