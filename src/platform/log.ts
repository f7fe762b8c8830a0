/** The log: one JSON object a line, with whatever could give access left out. */
import { type DestinationStream, pino } from 'pino'

export const makeLog = (level: string, destination: DestinationStream = pino.destination(1)) =>
  pino(
    {
      level,
      redact: {
        paths: [
          'req.headers.authorization',
          'req.headers.cookie',
          'token',
          '*.token',
          'password',
          '*.password',
          'secret',
          '*.secret',
        ],
        censor: '[hidden]',
      },
      serializers: {
        req: (req: { method: string; url: string; id: string }) => ({
          id: req.id,
          method: req.method,
          url: hideSecrets(req.url),
        }),
      },
    },
    destination,
  )

export type Log = ReturnType<typeof makeLog>

/** Keys and tokens that travel in addresses do not stay in the log. */
export const hideSecrets = (url: string): string =>
  url
    .replace(
      /([?&](?:shareKey|jwt_token|token|key|signature|code|state|SAMLResponse|RelayState)=)[^&#]+/gi,
      '$1[hidden]',
    )
    // Links that set a password, and those of invitations.
    .replace(/(\/(?:signin\/password|join)\/)[^/?#]+/gi, '$1[hidden]')
    // The addresses of sites behind share links, and of previews.
    .replace(/(\/(?:~|%7e)(?:share|preview)\/)[^/?#]+/gi, '$1[hidden]')
