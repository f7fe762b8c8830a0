/** E-mail, where the operator has set it up. Messages are plain text: links work everywhere, and nothing can hide in them. */

export interface Mail {
  send(message: { to: string; subject: string; text: string }): Promise<void>
}

/** `url` is smtp://user:password@host:port, or smtps://. Undefined without one: then the command line makes links. */
export function makeMail({ url, from }: { url: string | undefined; from: string }): Mail | undefined {
  if (url === undefined) return undefined
  return {
    async send({ to, subject, text }) {
      // Loaded with the first message: most processes never send one.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({ url, connectionTimeout: 10_000, socketTimeout: 20_000 })
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          disableFileAccess: true,
          disableUrlAccess: true,
        })
      } finally {
        transport.close()
      }
    },
  }
}
