/** The files of a space, and where each is used. */
import { File as FileIcon, Image, Upload } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { Link } from 'wouter'
import { Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Empty, Loaded } from '../kit/empty.tsx'
import { showDone } from '../kit/toast.tsx'
import { upload } from '../pages/content-target.ts'
import { type Output, useAction, useCall } from '../session/client.ts'
import { useSpace } from '../spaces/space-context.tsx'
import { language, t } from '../texts/index.ts'

type StoredFile = Output<'getFileById'>

export default function FilesScreen() {
  const { space, content, canEdit } = useSpace()
  const [chosen, choose] = useState<StoredFile | undefined>()
  const [isOver, setIsOver] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const files = useCall('listFiles', { spaceId: space.id, query: { limit: 1000 } })
  const [part, setPart] = useState(0)
  const send = useAction((list: readonly File[]) => upload(content, list, setPart), {
    refreshes: ['listFiles'],
    onDone: (added) => showDone(t.files.uploaded(added.length)),
  })
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setIsOver(false)
    const list = [...event.dataTransfer.files]
    if (list.length > 0) send.mutate(list)
  }
  const button = canEdit && (
    <Button kind="primary" icon={Upload} busy={send.isPending} onClick={() => field.current?.click()}>
      {send.isPending ? t.files.uploading(send.variables.length) : t.files.upload}
    </Button>
  )
  return (
    <section
      className="ui-screen"
      aria-label={t.files.title}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!canEdit) return
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Top title={t.files.title} crumbs={[{ label: space.title, href: paths.space(space.id) }]}>
        {button}
      </Top>
      <h1 className="sr">{t.files.title}</h1>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        aria-label={t.files.upload}
        onChange={({ target }) => target.files && send.mutate([...target.files])}
      />
      {send.isPending && (
        <progress className="ui-progress" max={1} value={part} aria-label={t.files.uploading(send.variables.length)} />
      )}
      <Loaded query={files}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={Image} title={t.files.empty} text={t.files.emptyText} />
          ) : (
            <ul className="ui-list">
              {items.map((file) => (
                <li key={file.id}>
                  <button type="button" className="ui-row" onClick={() => choose(file)}>
                    {file.contentType.startsWith('image/') ? (
                      <img className="ui-thumb" src={file.downloadURL} alt="" loading="lazy" />
                    ) : (
                      <FileIcon size={16} strokeWidth={1.75} aria-hidden="true" />
                    )}
                    <span className="title">{file.name}</span>
                    <span className="meta">{sizeOf(file.size)}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {chosen && <FileDialog file={chosen} onClose={() => choose(undefined)} />}
    </section>
  )
}

function FileDialog({ file, onClose }: { file: StoredFile; onClose: () => void }) {
  const { space } = useSpace()
  const backlinks = useCall('listSpaceFileBacklinks', { spaceId: space.id, fileId: file.id, query: { limit: 200 } })
  const copy = async (): Promise<void> => {
    await navigator.clipboard?.writeText(file.downloadURL)
    showDone(t.common.copied)
  }
  return (
    <Dialog open onClose={onClose} title={file.name} side>
      {file.contentType.startsWith('image/') && (
        <img className="ui-file-picture" src={file.downloadURL} alt={file.name} />
      )}
      <p className="ui-quiet">
        {file.contentType} · {sizeOf(file.size)}
        {file.dimensions && ` · ${file.dimensions.width} × ${file.dimensions.height}`}
      </p>
      <div className="ui-request-actions">
        <a className="ui-button plain" href={file.downloadURL} target="_blank" rel="noreferrer">
          {t.common.open}
        </a>
        {navigator.clipboard !== undefined && <Button onClick={() => void copy()}>{t.files.copyAddress}</Button>}
      </div>
      <h3>{t.files.usedOn}</h3>
      <Loaded query={backlinks} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="ui-quiet">{t.files.notUsed}</p>
          ) : (
            <ul className="ui-list">
              {items.map(({ page }) =>
                page ? (
                  <li key={page.id}>
                    <Link className="ui-row" href={paths.page(space.id, page.id)}>
                      <span className="title">{page.title}</span>
                    </Link>
                  </li>
                ) : null,
              )}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  )
}

const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
const sizeOf = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1024 ** 2
      ? `${number.format(bytes / 1024)} KB`
      : `${number.format(bytes / 1024 ** 2)} MB`
