// What a role in the organization lets somebody do in a space: no grants, no collections.
const ranks = { read: 2, comment: 3, edit: 4, review: 5, create: 6, admin: 7 }
const abilities = { view: 2, access: 2, comment: 3, edit: 4, review: 5, merge: 5, viewInviteLinks: 7, admin: 7 }

export const permissionsOf = (role) =>
  Object.fromEntries(Object.entries(abilities).map(([name, least]) => [name, (ranks[role] ?? 0) >= least]))
