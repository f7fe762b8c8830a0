// A thread for the tests of threads.ts: does what its input says.
import { parentPort } from 'node:worker_threads'

parentPort.on('message', ({ act, value }) => {
  if (act === 'echo') parentPort.postMessage({ output: value })
  if (act === 'throw') parentPort.postMessage({ error: value })
  if (act === 'exit') process.exit(3)
  if (act === 'crash') {
    setImmediate(() => {
      throw new Error(value)
    })
  }
  if (act === 'spin') for (;;);
  if (act === 'eat') {
    const eaten = []
    for (;;) eaten.push(new Array(1e5).fill(eaten.length))
  }
})
