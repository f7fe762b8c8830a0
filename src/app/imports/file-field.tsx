/** Files or a folder of this device: dropped, or chosen. What cannot be brought in is refused here, in words. */
import { FileUp, FolderUp } from 'lucide-react'
import { type DragEvent, useId, useRef, useState } from 'react'
import { Button } from '../kit/button.tsx'
import { FieldProblem } from '../kit/forms/problem.tsx'
import { importTexts as words } from '../texts/imports.ts'
import { language } from '../texts/index.ts'
import { chosenFiles, droppedFiles } from './dropped-files.ts'
import { mostBytes, sourcesOfFiles } from './sources.ts'
import { fitsArchive, type PathedFile } from './zip-files.ts'

interface FileFieldProps {
  files: readonly PathedFile[]
  problem: string | undefined
  onChoose: (files: PathedFile[]) => void
  onProblem: (text: string | undefined) => void
}

export function FileField({ files, problem, onChoose, onProblem }: FileFieldProps) {
  const [isOver, setIsOver] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const id = useId()
  const take = (list: PathedFile[]): void => {
    if (list.length === 0) return
    const wrong = refusal(list)
    onProblem(wrong)
    onChoose(wrong === undefined ? list : [])
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setIsOver(false)
    droppedFiles(event.dataTransfer).then(take, () => onProblem(words.unreadable))
  }
  return (
    <div className="ui-field" role="group" aria-labelledby={id}>
      <label id={id} htmlFor={`${id}-files`}>
        {words.files}
      </label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: whoever does not drop has the buttons inside. */}
      <div
        className="ui-drop"
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        {files.length > 0 ? (
          <p role="status">
            <strong>{nameOfFiles(files)}</strong>
            {' · '}
            {words.chosen(files.length, sizeOf(files))}
          </p>
        ) : (
          <p className="ui-quiet">{words.drop}</p>
        )}
        <Button icon={FileUp} onClick={() => field.current?.click()}>
          {files.length > 0 ? words.removeFiles : words.chooseFiles}
        </Button>
        <Button icon={FolderUp} onClick={() => folder.current?.click()}>
          {words.chooseFolder}
        </Button>
      </div>
      <FieldProblem text={problem} />
      <input
        ref={field}
        id={`${id}-files`}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          take(chosenFiles(target.files ?? new DataTransfer().files))
          target.value = ''
        }}
      />
      <input
        ref={folder}
        type="file"
        hidden
        aria-label={words.chooseFolder}
        {...{ webkitdirectory: '' }}
        onChange={({ target }) => {
          take(chosenFiles(target.files ?? new DataTransfer().files))
          target.value = ''
        }}
      />
    </div>
  )
}

function refusal(files: readonly PathedFile[]): string | undefined {
  const [first] = files
  const isOne = files.length === 1 && first
  if (isOne && first.file.size === 0) return words.emptyFile(first.file.name)
  if (sourcesOfFiles(files).length === 0) return isOne ? words.wrongKind(first.file.name) : words.noPages
  if (isOne ? first.file.size > mostBytes : !fitsArchive(files)) return words.tooLarge
  return undefined
}

/** Of the folder, where it is one. */
export function nameOfFiles(files: readonly PathedFile[]): string {
  const [first = '', ...others] = files.map(({ path }) => path)
  const [top = ''] = first.split('/')
  const isFolder = first.includes('/') && others.every((path) => path.startsWith(`${top}/`))
  if (isFolder) return top
  return others.length === 0 ? first : `${first} …`
}

const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
function sizeOf(files: readonly PathedFile[]): string {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  return bytes < 1024 ** 2 ? `${number.format(bytes / 1024)} KB` : `${number.format(bytes / 1024 ** 2)} MB`
}
