/** Images, drawings, files, embeds and cards that lead to a page. */
import { diagramOf } from '../../core/document/text/diagram.ts'
import { code } from '../../core/document/tree/make.ts'
import type {
  ContentRefBlock,
  Drawing,
  Embed,
  FileBlock,
  Image,
  Images,
  Integration,
  Paragraph,
} from '../../core/document/tree/nodes.ts'
import { fragmentNodes } from '../../core/document/tree/walk.ts'
import { hostOf, safeUrl } from '../../core/safe-url.ts'
import { pageBudget } from './budget.ts'
import { renderCode } from './code.ts'
import { lengthOf } from './containers.ts'
import { type RenderContext, styleClass, type Target, targetOf } from './context.ts'
import { frameOf } from './embeds.ts'
import { attr, type Html, html, isEmpty, join, nothing } from './html.ts'
import { uiIcon } from './icons.ts'
import { leadIcon, linkAttributes, renderInlines } from './inlines.ts'

export function renderImages(context: RenderContext, block: Images): Html {
  const figures = block.nodes.map((image) => renderImage(context, image))
  const classes = [
    'images',
    block.data.align === 'left' || block.data.align === 'right' ? block.data.align : false,
    block.data.fullWidth && 'full',
    block.data.withFrame && 'framed',
  ]
  return html`<div class="${classes.filter((name) => name).join(' ')}">${figures}</div>`
}

function renderImage(context: RenderContext, image: Image): Html {
  const paragraphs = fragmentNodes(image, 'caption').filter((node): node is Paragraph => node.type === 'paragraph')
  const caption = join(paragraphs.map((node, at) => html`${at > 0 && html`<br>`}${renderInlines(context, node.nodes)}`))
  const target = targetOf(context, image.data.ref)
  if (target === undefined) return image.data.alt ? html`<p class="missing">${image.data.alt}</p>` : nothing
  const width = lengthOf(image.data.width)
  const height = lengthOf(image.data.height)
  const sized = width !== undefined ? `width:${width}` : height !== undefined ? `--height:${height}` : undefined
  const classes =
    sized === undefined ? undefined : `${width === undefined ? 'tall' : 'sized'} ${styleClass(context, sized)}`
  const picture = renderPicture(context, { target, alt: image.data.alt ?? '', ...darkOf(context, image.data.refDark) })
  return html`<figure${attr('class', classes)}>${picture}${!isEmpty(caption) && html`<figcaption>${caption}</figcaption>`}</figure>`
}

function darkOf(context: RenderContext, ref: Image['data']['refDark']): { dark?: Target } {
  const dark = targetOf(context, ref)
  return dark === undefined ? {} : { dark }
}

/** The link to the file itself is the zoom of readers without a script. */
function renderPicture(
  context: RenderContext,
  { target, dark, alt }: { target: Target; dark?: Target; alt: string },
): Html {
  // The first picture is often what the first screen shows; the others can wait until they are near.
  const lazy = context.images > 0
  context.images += 1
  const picture = (of: Target, mode: string): Html => {
    const ratio = of.width && of.height ? html` width="${of.width}" height="${of.height}"` : nothing
    const label = alt === '' ? context.strings.enlarge : `${context.strings.enlarge}: ${alt}`
    return html`<a class="zoom${mode}" href="${of.href}" data-zoom aria-label="${label}"><img src="${of.href}" alt="${alt}"${ratio}${lazy && html` loading="lazy"`} decoding="async"></a>`
  }
  return dark === undefined ? picture(target, '') : html`${picture(target, ' in-light')}${picture(dark, ' in-dark')}`
}

export function renderDrawing(context: RenderContext, block: Drawing): Html {
  const target = targetOf(context, block.data.ref)
  if (target === undefined) return nothing
  return html`<div class="images"><figure>${renderPicture(context, { target, alt: block.data.alt || context.strings.drawing })}</figure></div>`
}

export function renderFile(context: RenderContext, block: FileBlock): Html {
  const target = targetOf(context, block.data.ref)
  if (target === undefined) return nothing
  const name = target.title ?? lastSegment(target.href)
  const details = [
    kindOf(target.contentType, name),
    target.size !== undefined && sizeText(target.size, context.locale),
  ].filter((part) => part)
  return html`<a class="ref file"${linkAttributes(context, target)} download><span class="ref-icon">${uiIcon(context.icons, iconOf(target.contentType))}</span><span class="ref-text"><span class="ref-title">${name}</span><span class="ref-detail">${details.join(' · ')}</span></span>${uiIcon(context.icons, 'download')}</a>`
}

export function renderContentRef(context: RenderContext, block: ContentRefBlock): Html {
  const target = targetOf(context, block.data.ref)
  if (target === undefined) {
    const title = block.data.ref.kind === 'url' ? block.data.ref.url : context.resolve(block.data.ref)?.title
    return title ? html`<p>${title}</p>` : nothing
  }
  return linkCard(context, target, block.data.label || (target.title ?? hostOf(target.href) ?? target.href))
}

function linkCard(context: RenderContext, target: Target, title: string): Html {
  const lead = leadIcon(context, target)
  const detail =
    target.description ??
    (target.external && target.title ? hostOf(target.href) : target.external ? target.href : undefined)
  const fallback = uiIcon(context.icons, target.external ? 'globe' : 'file-text')
  return html`<a class="ref"${linkAttributes(context, target)}><span class="ref-icon">${isEmpty(lead) ? fallback : lead}</span><span class="ref-text"><span class="ref-title">${title}</span>${detail && html`<span class="ref-detail">${detail}</span>`}</span>${uiIcon(context.icons, target.external ? 'arrow-up-right' : 'chevron-right')}</a>`
}

/** Known players in a sandboxed frame; everything else as a card that leads there. */
export function renderEmbed(context: RenderContext, block: Embed): Html {
  const href = safeUrl(block.data.url)
  if (href === undefined) return html`<p>${block.data.url}</p>`
  context.embeds += 1
  const { caption } = block.data
  const frame = context.embeds > pageBudget.embeds ? undefined : frameOf(href)
  if (frame === undefined) {
    const target = targetOf(context, { kind: 'url', url: href })
    return target === undefined ? nothing : linkCard(context, target, caption ?? target.title ?? hostOf(href) ?? href)
  }
  const shown = html`<div class="embed ${frame.shape}${block.data.fullWidth && ' full'}"><iframe src="${frame.src}" title="${caption ?? frame.title}" loading="lazy" sandbox="allow-scripts allow-same-origin allow-popups allow-forms allow-presentation" allow="fullscreen; picture-in-picture; clipboard-write; encrypted-media" referrerpolicy="strict-origin-when-cross-origin"></iframe></div>`
  return caption ? html`<figure>${shown}<figcaption>${caption}</figcaption></figure>` : shown
}

/** Integrations are programs of others; what can be shown of one is the address it stands for. */
export function renderIntegration(context: RenderContext, block: Integration): Html {
  const diagram = diagramOf(block)
  if (diagram !== undefined) return renderCode(context, code(diagram, { syntax: 'mermaid' }))
  const target = block.data.url === undefined ? undefined : targetOf(context, { kind: 'url', url: block.data.url })
  return target === undefined ? nothing : linkCard(context, target, target.title ?? hostOf(target.href) ?? target.href)
}

function sizeText(bytes: number, locale: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const step = Math.min(units.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1000)))
  const value = bytes / 1000 ** step
  const format = {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  } as const
  return new Intl.NumberFormat(locale, format).format(value)
}

function lastSegment(href: string): string {
  const path = href.split(/[?#]/)[0] ?? ''
  const name = path.slice(path.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(name) || href
  } catch {
    return name || href
  }
}

function kindOf(contentType: string | undefined, name: string): string | undefined {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]
  return ending?.toUpperCase() ?? contentType
}

function iconOf(contentType: string | undefined): string {
  const [kind, detail] = (contentType ?? '').split('/')
  if (kind === 'image') return 'file-image'
  if (kind === 'video' || kind === 'audio') return 'file-play'
  if (detail === 'zip' || detail === 'gzip' || detail === 'x-tar') return 'file-archive'
  if (detail === 'json' || detail === 'xml' || detail === 'javascript') return 'file-code'
  return 'file-text'
}
