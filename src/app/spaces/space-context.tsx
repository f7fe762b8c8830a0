/** The space that is being worked in, and the change request, if any. */
import { createContext, useContext } from 'react'
import type { ChangeRequest } from '../changes/row.tsx'
import { paths } from '../frame/paths.ts'
import type { ContentTarget } from '../pages/content-target.ts'
import type { Output } from '../session/client.ts'

interface Given {
  space: Output<'getSpaceById'>
  request: ChangeRequest | undefined
}

const SpaceContext = createContext<Given | undefined>(undefined)
export const SpaceProvider = SpaceContext.Provider

export function useSpace() {
  const given = useContext(SpaceContext)
  if (!given) throw new Error('This part of the app needs a space.')
  const { space, request } = given
  const content: ContentTarget = { space: space.id, ...(request ? { changeRequest: request.id } : {}) }
  const isClosed = request?.status === 'merged' || request?.status === 'archived'
  return {
    space,
    request,
    content,
    /** Whether pages can be changed right here: in a change request, or in a space that is edited directly. */
    canEdit: space.permissions.edit && !isClosed && (request !== undefined || space.editMode !== 'locked'),
    pathOf: (page: string): string => paths.page(space.id, page, request?.number),
  }
}
