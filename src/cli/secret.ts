/** `lectern secret rotate`: another key to sign with. */
import { defineCommand } from 'citty'
import { newSecret } from '../platform/random.ts'
import { graceDays, rotateStoredKey } from '../store/signing-keys.ts'
import { CommandError } from './plain-errors.ts'
import { withStore } from './with-store.ts'

const rotate = defineCommand({
  meta: {
    name: 'rotate',
    description:
      'Make another key to sign with. What the old one signed (links, share links, visitor keys) is good for some days yet.',
  },
  args: {
    days: {
      type: 'string',
      default: String(graceDays),
      description: 'How many days the old key goes on verifying; 0 ends it now.',
    },
  },
  async run({ args }) {
    const days = /^\d{1,4}$/.test(args.days) ? Number(args.days) : undefined
    if (days === undefined) throw new CommandError(`--days must be a whole number, and is ${args.days}.`)
    await withStore(
      async ({ db, config }) => {
        if (config.secret !== undefined)
          throw new CommandError(
            'The key comes from LECTERN_SECRET: put the present one into LECTERN_SECRET_FORMER, a new one into LECTERN_SECRET, and restart.',
          )
        await rotateStoredKey(db, { newKey: newSecret, now: new Date(), days })
        console.log(
          `There is a new key; the old one verifies for ${days} more days. Restart every process of Lectern now.`,
        )
      },
      { mustExist: true },
    )
  },
})

export const secret = defineCommand({
  meta: { name: 'secret', description: 'The key that links and tokens are signed with.' },
  subCommands: { rotate },
})
