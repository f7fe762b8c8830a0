/** `lectern migrate`: upgrades the tables without starting the server, and says what it did. */
import { defineCommand } from 'citty'
import { migrate, migrations, stepOf } from '../store/upkeep/migrate.ts'
import { withDatabase } from './with-store.ts'

export const migrateCommand = defineCommand({
  meta: {
    name: 'migrate',
    description: 'Bring the tables of the database up to this version. `lectern serve` does so by itself.',
  },
  args: {
    json: { type: 'boolean', description: 'Print JSON.' },
    'dry-run': { type: 'boolean', description: 'Only say what would run.' },
  },
  async run({ args }) {
    await withDatabase({ mustExist: false }, async ({ db }) => {
      const from = await stepOf(db)
      const waiting = migrations.filter(({ number }) => number > from).map(({ number, name }) => `${number} ${name}`)
      const ran = args['dry-run'] ? [] : await migrate(db)
      const step = await stepOf(db)
      if (args.json) return console.log(JSON.stringify({ from, step, ran, ...(args['dry-run'] ? { waiting } : {}) }))
      const list = args['dry-run'] ? waiting : ran
      for (const name of list) console.log(`${args['dry-run'] ? 'Would run' : 'Ran'} ${name}.`)
      if (list.length === 0) console.log(`The tables are up to date, at step ${step}.`)
    })
  },
})
