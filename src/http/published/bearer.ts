/** `Authorization: Bearer …` as programs send it to a site: a visitor's token or a share key, told apart by their form. */
const form = /^Bearer +([\w.~+/-]+=*) *$/i

export interface Bearer {
  shareKey?: string
  jwtToken?: string
}

export const isBearer = (authorization: string): boolean => /^bearer /i.test(authorization)

export function bearerOf(authorization: string | undefined): Bearer | undefined {
  if (authorization === undefined || !isBearer(authorization)) return undefined
  const given = form.exec(authorization)?.[1]
  if (given === undefined) return {}
  // A token is three parts with dots between them; a key has none.
  return given.includes('.') ? { jwtToken: given } : { shareKey: given }
}
