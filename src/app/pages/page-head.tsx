/** The head of a page: cover, icon, title and description, each changed where it stands. */
import { ImagePlus, SmilePlus } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../kit/button.tsx'
import { NamedIcon } from '../kit/named-icons.tsx'
import { showProblem } from '../kit/toast.tsx'
import { useCall } from '../session/client.ts'
import { explain } from '../session/errors.ts'
import { t } from '../texts/index.ts'
import { emojiOf } from '../tree/page-icon.tsx'
import { type ContentTarget, type Page, upload } from './content-target.ts'
import { IconPicker, type PageIcon } from './icon-picker.tsx'
import type { PageFields } from './use-fields.ts'

interface PageHeadProps {
  page: Page
  content: ContentTarget
  canEdit: boolean
  change: (fields: PageFields, now?: boolean) => void
  /** Enter in the title goes on into the text. */
  onLeave: () => void
}

export function PageHead({ page, content, canEdit, change, onLeave }: PageHeadProps) {
  const emoji = page.emoji || undefined
  const icon = page.icon || undefined
  const hasIcon = emoji !== undefined || icon !== undefined
  // A page has one or the other.
  const choose = (chosen: PageIcon): void => change({ emoji: '', icon: '', ...chosen }, true)
  return (
    <header className="ui-page-head">
      <h1 className="sr">{page.title}</h1>
      <Cover page={page} content={content} canEdit={canEdit} change={change} />
      {hasIcon && (
        <IconPicker
          label={t.page.changeIcon}
          canEdit={canEdit}
          onChoose={choose}
          button={
            <button type="button" className="ui-page-icon emoji" disabled={!canEdit}>
              {emoji === undefined ? <NamedIcon name={icon ?? ''} size={40} /> : emojiOf(emoji)}
            </button>
          }
        />
      )}
      {canEdit && (
        <div className="ui-page-tools">
          {!hasIcon && (
            <IconPicker
              label={t.page.addIcon}
              canEdit
              onChoose={choose}
              button={
                <button type="button" className="ui-button quiet small">
                  <SmilePlus size={15} strokeWidth={1.75} aria-hidden="true" />
                  <span>{t.page.addIcon}</span>
                </button>
              }
            />
          )}
          {!page.cover && <CoverButton content={content} change={change} />}
        </div>
      )}
      <GrowingField
        className="ui-page-title"
        label={t.page.titleLabel}
        placeholder={t.page.titlePlaceholder}
        value={page.title === t.common.untitled && canEdit ? '' : page.title}
        maxLength={500}
        readOnly={!canEdit}
        autoFocus={page.title === t.common.untitled && canEdit}
        onChange={(title) => change({ title: title.trim() === '' ? t.common.untitled : title })}
        onEnter={onLeave}
      />
      {(canEdit || page.description) && (
        <GrowingField
          className="ui-page-description"
          label={t.page.descriptionLabel}
          placeholder={t.page.descriptionPlaceholder}
          value={page.description ?? ''}
          maxLength={1000}
          readOnly={!canEdit}
          onChange={(description) => change({ description })}
          onEnter={onLeave}
        />
      )}
    </header>
  )
}

interface GrowingFieldProps {
  className: string
  label: string
  placeholder: string
  value: string
  maxLength: number
  readOnly: boolean
  autoFocus?: boolean
  onChange: (value: string) => void
  onEnter: () => void
}

/** Measuring lays the whole page out, so it is left to browsers that cannot do it by style. */
const growsByItself = CSS.supports('field-sizing', 'content')

/** A field of one line that grows with its text. */
function GrowingField({ onChange, onEnter, label, autoFocus, value, ...rest }: GrowingFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(value)
  const given = useRef(value)
  if (given.current !== value) {
    given.current = value
    if (document.activeElement !== field.current) setText(value)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text.
  useLayoutEffect(() => {
    const element = field.current
    if (!element || growsByItself) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [text])
  useLayoutEffect(() => {
    if (autoFocus) field.current?.focus()
  }, [autoFocus])
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' || (event.key === 'ArrowDown' && field.current?.selectionEnd === text.length)) {
      event.preventDefault()
      onEnter()
    }
  }
  return (
    <textarea
      ref={field}
      rows={1}
      dir="auto"
      aria-label={label}
      spellCheck
      value={text}
      onKeyDown={press}
      onChange={({ target }) => {
        const next = target.value.replaceAll('\n', ' ')
        setText(next)
        onChange(next)
      }}
      {...rest}
    />
  )
}

function CoverButton({ content, change }: Pick<PageHeadProps, 'content' | 'change'>) {
  const field = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const choose = async (files: FileList | null): Promise<void> => {
    const file = files?.[0]
    if (!file) return
    setBusy(true)
    try {
      const [added] = await upload(content, [file])
      if (added) change({ cover: { ref: { kind: 'file', file: added.id }, yPos: 0 } }, true)
    } catch (error) {
      showProblem(explain(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button kind="quiet" className="small" icon={ImagePlus} busy={busy} onClick={() => field.current?.click()}>
        {busy ? t.page.coverUploading : t.page.addCover}
      </Button>
      <input
        ref={field}
        type="file"
        accept="image/*"
        hidden
        aria-label={t.page.addCover}
        onChange={({ target }) => void choose(target.files)}
      />
    </>
  )
}

function Cover({ page, content, canEdit, change }: Omit<PageHeadProps, 'onLeave'>) {
  const ref = page.cover?.ref
  const fileId = ref?.kind === 'file' ? (ref.file ?? '') : ''
  const inRequest = content.changeRequest !== undefined
  const file = useCall('getFileById', { spaceId: content.space, fileId }, { enabled: fileId !== '' && !inRequest })
  const drafted = useCall(
    'getFileInChangeRequestById',
    { spaceId: content.space, changeRequestId: content.changeRequest ?? '', fileId },
    { enabled: fileId !== '' && inRequest },
  )
  const url = ref?.kind === 'url' ? ref.url : (file.data ?? drafted.data)?.downloadURL
  if (!page.cover || !url) return null
  return (
    <div className="ui-cover">
      <img src={url} alt="" />
      {canEdit && (
        <Button className="small" onClick={() => change({ cover: null }, true)}>
          {t.page.removeCover}
        </Button>
      )}
    </div>
  )
}
