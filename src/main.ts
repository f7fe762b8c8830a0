/** The command line. Each command is loaded only when it is asked for, so that the server starts fast. */
import { defineCommand, runMain } from 'citty'
import { plainly } from './cli/plain-errors.ts'
import { keepTickShape } from './platform/tick-shape.ts'
import { version } from './platform/version.ts'

const main = defineCommand({
  meta: { name: 'lectern', version, description: 'Documentation hosting that you run yourself.' },
  subCommands: {
    serve: () => import('./cli/serve.ts').then((module) => module.serve),
    work: () => import('./cli/work.ts').then((module) => module.work),
    user: () => import('./cli/people.ts').then((module) => module.user),
    token: () => import('./cli/people.ts').then((module) => module.token),
    domain: () => import('./cli/people.ts').then((module) => module.domain),
    secret: () => import('./cli/secret.ts').then((module) => module.secret),
    migrate: () => import('./cli/migrate.ts').then((module) => module.migrateCommand),
    backup: () => import('./cli/backup.ts').then((module) => module.backup),
    restore: () => import('./cli/backup.ts').then((module) => module.restore),
    copy: () => import('./cli/backup.ts').then((module) => module.copy),
    import: () => import('./cli/import.ts').then((module) => module.importCommand),
    export: () => import('./cli/export.ts').then((module) => module.exportCommand),
    publish: () => import('./cli/publish.ts').then((module) => module.publish),
    check: () => import('./cli/check.ts').then((module) => module.check),
  },
})

keepTickShape()
await runMain(plainly(main))
