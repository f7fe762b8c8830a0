/**
 * How a published site looks and behaves: every field that can be set, with the values it takes. The API's shape, the
 * types and the defaults all come from here.
 */
import { z } from 'zod'
import { ContentRef, Emoji, Flag, WebUrl } from '../shapes.ts'
import {
  backgrounds,
  bannerStyles,
  corners,
  depths,
  fonts,
  headerPresets,
  iconStyles,
  linkLooks,
  linkStyles,
  linkTargets,
  listStyles,
  locales,
  monospaceFonts,
  pageActions,
  schemes,
  searchFields,
  sideGrounds,
  socialPlatforms,
  themes,
} from './choices.ts'
import { codeThemes } from './code-themes.ts'

export { type Locale, locales } from './choices.ts'

const Color = z.string().regex(/^#(?:[0-9a-fA-F]{3}){1,2}$/, 'must be a colour such as #3b5bdb')
const Colors = z.object({ light: Color, dark: Color })
const Images = z.object({ light: WebUrl, dark: WebUrl })

const CustomFont = z.object({
  id: z.string().min(1).max(64),
  custom: z.literal(true),
  fontFamily: z
    .string()
    .min(1)
    .max(50)
    .regex(/^[\w .-]+$/, 'must be a plain name'),
  fontFaces: z
    .array(
      z.object({
        weight: z.number().int().min(1).max(1000),
        sources: z
          .array(z.object({ url: WebUrl, format: z.enum(['woff2', 'woff']).optional() }))
          .min(1)
          .max(4),
      }),
    )
    .min(1)
    .max(20),
})

const Font = z.union([z.enum(fonts), CustomFont])

const CodeThemes = z.object({ light: z.enum(codeThemes), dark: z.enum(codeThemes) })

const Styling = z.object({
  theme: z.enum(themes),
  primaryColor: Colors,
  infoColor: Colors,
  successColor: Colors,
  warningColor: Colors,
  dangerColor: Colors,
  tint: z.object({ color: Colors }).optional(),
  corners: z.enum(corners),
  depth: z.enum(depths),
  links: z.enum(linkLooks),
  font: Font,
  headingFont: Font.nullable().optional(),
  monospaceFont: z.union([z.enum(monospaceFonts), CustomFont]),
  background: z.enum(backgrounds),
  codeTheme: z.object({ default: CodeThemes, openapi: CodeThemes }),
  icons: z.enum(iconStyles),
  sidebar: z.object({ background: z.enum(sideGrounds), list: z.enum(listStyles) }),
  search: z.enum(searchFields),
})

const LinkTitle = z.string().min(1).max(64)
const Link = z.object({ title: LinkTitle, to: ContentRef })
const HeaderLink = z.object({
  title: LinkTitle,
  style: z.enum(linkStyles).optional(),
  to: ContentRef.nullable(),
  links: z.array(Link).max(20),
  condition: z.string().min(1).max(1024).optional(),
})

const SocialAccount = z.object({
  platform: z.enum(socialPlatforms),
  handle: z
    .string()
    .min(1)
    .max(128)
    .regex(/^[^\s/?#\\]+$/, 'must be a name without spaces and slashes'),
  display: z.object({ header: Flag, footer: Flag }),
})

export const CustomizationShape = z
  .object({
    title: z.string().min(2).max(128).optional(),
    styling: Styling,
    internationalization: z.object({ locale: z.enum(locales) }),
    favicon: z.object({ icon: Images.optional(), emoji: Emoji.optional() }),
    header: z.object({
      preset: z.enum(headerPresets),
      backgroundColor: Colors.optional(),
      linkColor: Colors.optional(),
      logo: Images.optional(),
      links: z.array(HeaderLink).max(20),
    }),
    footer: z.object({
      logo: Images.optional(),
      groups: z.array(z.object({ title: LinkTitle, links: z.array(Link).max(50) })).max(20),
      copyright: z.string().max(300).optional(),
    }),
    announcement: z
      .object({
        enabled: Flag,
        message: z.string().min(2).max(128),
        link: z.object({ title: z.string().min(1).max(100), to: ContentRef }).optional(),
        style: z.enum(bannerStyles),
      })
      .optional(),
    themes: z.object({ default: z.enum(schemes), toggeable: Flag }),
    pdf: z.object({ enabled: Flag }),
    feedback: z.object({ enabled: Flag }),
    ai: z.object({ mode: z.enum(['none', 'search', 'assistant']) }),
    advancedCustomization: z.object({ enabled: Flag }),
    git: z.object({ showEditLink: Flag }),
    pageActions: z.object({
      externalAI: Flag,
      markdown: Flag,
      items: z.array(z.enum(pageActions)).max(pageActions.length),
    }),
    externalLinks: z.object({ target: z.enum(linkTargets) }),
    pagination: z.object({ enabled: Flag }),
    trademark: z.object({ enabled: Flag }),
    privacyPolicy: z.object({ url: WebUrl.optional() }),
    socialPreview: z.object({ url: WebUrl.optional() }),
    socialAccounts: z.array(SocialAccount).max(10),
    insights: z.object({ trackingCookie: Flag }),
    openapi: z.object({ tryIt: Flag.describe('Whether readers may call operations from the page.') }),
  })
  .meta({ id: 'Customization' })

/**
 * As it may be sent: what newer clients know is optional, so that what older ones send stays whole; `pdf` and `git`
 * are optional because newer ones say both with `pageActions.items`.
 */
export const CustomizationBody = CustomizationShape.extend({
  styling: Styling.partial({ codeTheme: true }),
  header: CustomizationShape.shape.header.extend({
    links: z.array(HeaderLink.partial({ links: true })).max(20),
  }),
  pageActions: CustomizationShape.shape.pageActions.partial(),
  pdf: CustomizationShape.shape.pdf.optional(),
  git: CustomizationShape.shape.git.optional(),
  openapi: CustomizationShape.shape.openapi.optional(),
  socialAccounts: z
    .array(SocialAccount.extend({ display: SocialAccount.shape.display.partial().optional() }))
    .max(10)
    .optional(),
}).meta({ id: 'CustomizationBody' })

export type Customization = z.output<typeof CustomizationShape>
export type Styling = Customization['styling']
export type ThemePair = z.output<typeof Colors>
export type CustomFont = z.output<typeof CustomFont>
export type HeaderLink = z.output<typeof HeaderLink>
export type LinkTarget = HeaderLink['to']
