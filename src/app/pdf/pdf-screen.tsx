/** A space, a change request or a page of it as a book: it is made while one waits, and opened when it is ready. */
import { Download, ExternalLink, FileText, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSearch } from 'wouter'
import { Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { Button } from '../kit/button.tsx'
import { Choices } from '../kit/forms/choices.tsx'
import { FormProblem } from '../kit/forms/problem.tsx'
import { usePage } from '../pages/content-target.ts'
import { useSpace } from '../spaces/space-context.tsx'
import { t } from '../texts/index.ts'
import { pdfTexts as words } from '../texts/pdf.ts'
import { type Extent, makeBook } from './make-book.ts'

export default function PdfScreen() {
  const { space, request, content } = useSpace()
  const pageId = new URLSearchParams(useSearch()).get('page') ?? ''
  const crumbs = [
    { label: space.title, href: paths.space(space.id) },
    ...(request ? [{ label: `#${request.number}`, href: paths.changeRequest(space.id, request.number) }] : []),
  ]
  return (
    <div className="ui-screen narrow">
      <Top title={words.title} crumbs={crumbs} />
      <h1 className="ui-plain-title">{words.title}</h1>
      <p className="ui-quiet">{words.text}</p>
      {pageId === '' ? <Book key={space.id} /> : <BookOfPage key={pageId} pageId={pageId} content={content} />}
    </div>
  )
}

function BookOfPage({ pageId, content }: { pageId: string; content: ReturnType<typeof useSpace>['content'] }) {
  const page = usePage(content, pageId)
  // One that is gone, or that this person may not see, is no reason to offer nothing.
  if (page.error) return <Book />
  return <Book page={{ id: pageId, title: page.data?.title || words.thisPage }} />
}

type State =
  | { is: 'asked' }
  | { is: 'making' }
  | { is: 'ready'; address: string }
  | { is: 'failed'; error: unknown; isBook: boolean }

function Book({ page }: { page?: { id: string; title: string } }) {
  const { content, request } = useSpace()
  const [extent, setExtent] = useState<Extent>(page ? 'only' : 'whole')
  const [state, setState] = useState<State>({ is: 'asked' })
  const waiting = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => waiting.current?.abort(), [])
  const make = async (): Promise<void> => {
    const abort = new AbortController()
    waiting.current = abort
    setState({ is: 'making' })
    try {
      const address = await makeBook({ content, extent, page: page?.id, signal: abort.signal })
      setState({ is: 'ready', address })
    } catch (error) {
      setState(abort.signal.aborted ? { is: 'asked' } : { is: 'failed', error, isBook: extent === 'whole' })
    }
  }
  return (
    <form
      className="ui-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (state.is !== 'making') void make()
      }}
    >
      {page && (
        <Choices
          label={words.what}
          value={extent}
          options={[
            { value: 'only', label: words.only(page.title) },
            { value: 'below', label: words.below(page.title) },
            { value: 'whole', label: request ? words.wholeRequest : words.whole },
          ]}
          onChange={(next) => {
            waiting.current?.abort()
            setExtent(next)
            setState({ is: 'asked' })
          }}
        />
      )}
      <div className="ui-work" role="status">
        {state.is === 'making' && (
          <>
            <p>{words.making}</p>
            <progress className="ui-progress" aria-label={words.making} />
          </>
        )}
        {state.is === 'ready' && (
          <p>
            {words.ready} <span className="ui-quiet">{words.keep}</span>
          </p>
        )}
      </div>
      {state.is === 'failed' && (
        <>
          <FormProblem error={state.error} />
          {state.isBook && <p className="ui-quiet">{words.failedNext}</p>}
        </>
      )}
      <div className="ui-request-actions">
        {state.is === 'ready' ? (
          <>
            <a className="ui-button primary" href={state.address} target="_blank" rel="noreferrer">
              <ExternalLink size={16} strokeWidth={1.75} aria-hidden="true" />
              <span>{words.open}</span>
            </a>
            <a className="ui-button plain" href={state.address} download>
              <Download size={16} strokeWidth={1.75} aria-hidden="true" />
              <span>{words.save}</span>
            </a>
          </>
        ) : (
          <Button kind="primary" type="submit" icon={FileText} busy={state.is === 'making'}>
            {state.is === 'failed' ? t.common.retry : words.make}
          </Button>
        )}
        {state.is === 'making' && (
          <Button icon={X} onClick={() => waiting.current?.abort()}>
            {words.stop}
          </Button>
        )}
      </div>
    </form>
  )
}
