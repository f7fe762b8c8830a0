/** Files sent as a form become files of the content that the path names: the space as it is, or a change request. */
import type { z } from 'zod'
import type { FilesAdded } from '../../../contract/content/space-content.ts'
import type { Upload } from '../../../contract/operation.ts'
import { fail } from '../../../core/errors.ts'
import { putFiles } from '../../../core/revision/content.ts'
import type { FileRecord } from '../../../core/revision/records.ts'
import { openContent } from '../../../store/content/content.ts'
import { Answer } from '../../handler.ts'
import { type ContentCall, contentAt } from '../at.ts'
import { presentFile } from '../present-file.ts'
import { commitChangeRequest, commitMain } from './commit.ts'
import { storeUpload } from './files.ts'

export const uploadSteps = {
  /** Refuses before the first byte is read, and stores the bytes while no transaction is open. */
  async prepare({ body, ...call }: ContentCall & { body: Upload }): Promise<FileRecord[]> {
    refuseEdits(call)
    return storeUpload(call, body)
  },

  async commit(call: ContentCall, files: FileRecord[]): Promise<Answer<z.output<typeof FilesAdded>>> {
    refuseEdits(call)
    const { space, changeRequest, env, now } = call
    const { revision: before } = await contentAt(call)
    const writer = openContent(call.db)
    const content = await putFiles(writer, before.content, new Map(files.map((file) => [file.id, file])))
    const next = { writer, before, content, type: 'edits' as const }
    const revision = changeRequest
      ? await commitChangeRequest(call, space, changeRequest, next)
      : await commitMain(call, space, next)
    return new Answer(
      { revision: revision.id, files: files.map((file) => presentFile(file, { env, now })) },
      { headers: { location: env.urls.api(`/spaces/${space.id}/revisions/${revision.id}/files`) } },
    )
  },
}

function refuseEdits({ space, changeRequest }: ContentCall): void {
  if (changeRequest?.status === 'merged' || changeRequest?.status === 'archived') throw fail('change_request_closed')
  if (!changeRequest && space.editMode === 'locked') throw fail('space_locked')
}
