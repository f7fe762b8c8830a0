// A thread for the tests of the supervisor: does what its inputs say, one after the other.
import { parentPort } from 'node:worker_threads'

let last = Promise.resolve()
parentPort.on('message', (input) => {
  last = last.then(() => act(input))
})

function act({ act, value }) {
  if (act === 'echo') parentPort.postMessage({ output: value })
  if (act === 'throw') parentPort.postMessage({ error: value })
  if (act === 'exit') process.exit(3)
  if (act === 'crash') {
    setImmediate(() => {
      throw new Error(value)
    })
    return new Promise(() => {})
  }
  if (act === 'spin') for (;;);
  if (act === 'eat') {
    const eaten = []
    for (;;) eaten.push(new Array(1e5).fill(eaten.length))
  }
}
