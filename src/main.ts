/** The command line. Each command is loaded only when it is asked for, so that the server starts fast. */
import { defineCommand, runMain } from 'citty'
import { version } from './platform/version.ts'

const main = defineCommand({
  meta: { name: 'lectern', version, description: 'Documentation hosting that you run yourself.' },
  subCommands: {
    serve: () => import('./cli/serve.ts').then((module) => module.serve),
    user: () => import('./cli/people.ts').then((module) => module.user),
    token: () => import('./cli/people.ts').then((module) => module.token),
  },
})

await runMain(main)
