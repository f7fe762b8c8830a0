import fc from 'fast-check'
import { bundledLanguages } from 'shiki/langs'
import { describe, expect, it } from 'vitest'
import { type CustomizationInput, completeCustomization } from '../../src/core/customization/complete.ts'
import type { Customization } from '../../src/core/customization/shape.ts'
import { grammarOf, renamed } from '../../src/theme/grammars.ts'
import { contrast, parseColor, toHex } from '../../src/theme/oklch.ts'
import { paletteOf, textPairs } from '../../src/theme/palette.ts'
import { siteStyle } from '../../src/theme/style-sheet.ts'

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const pair = fc.record({ light: color, dark: color })
const styling = fc.record(
  {
    theme: fc.constantFrom('clean' as const, 'muted' as const, 'bold' as const, 'gradient' as const),
    primaryColor: pair,
    infoColor: pair,
    successColor: pair,
    warningColor: pair,
    dangerColor: pair,
    tint: fc.record({ color: pair }),
  },
  { requiredKeys: ['theme', 'primaryColor'] },
)
const header = fc.record({
  preset: fc.constantFrom('default' as const, 'bold' as const, 'contrast' as const, 'custom' as const),
  backgroundColor: pair,
  linkColor: pair,
})

function worst(customization: Customization): { ratio: number; pair: string } {
  let found = { ratio: 21, pair: '' }
  for (const mode of ['light', 'dark'] as const) {
    const palette = paletteOf(customization, mode)
    for (const [text, ground] of textPairs(palette)) {
      const ratio = contrast(palette[text] ?? '', palette[ground] ?? '')
      if (!(ratio >= found.ratio))
        found = { ratio, pair: `${mode}: ${text} ${palette[text]} on ${ground} ${palette[ground]}` }
    }
  }
  return found
}

describe('grammars', () => {
  it('are there for every other name of a language', () => {
    for (const [name, grammar] of Object.entries(renamed)) {
      expect(bundledLanguages, name).not.toHaveProperty([name])
      expect(bundledLanguages, name).toHaveProperty([grammar])
      expect(grammarOf(` ${name.toUpperCase()} `)).toBe(grammar)
    }
  })
})

describe('palette', () => {
  it('is readable in light and dark whatever colours an owner chooses', () => {
    fc.assert(
      fc.property(styling, header, (style, top) => {
        const { ratio, pair: where } = worst(completeCustomization({ styling: style, header: top }))
        expect(ratio, where).toBeGreaterThanOrEqual(4.5)
      }),
      { numRuns: 150 },
    )
  })

  it('is readable for the colours brands like', () => {
    for (const primary of [
      '#000000',
      '#ffffff',
      '#ffff00',
      '#ff0000',
      '#00ff00',
      '#0000ff',
      '#777777',
      '#fde047',
      'nonsense',
    ]) {
      const given: CustomizationInput = { styling: { primaryColor: { light: primary, dark: primary } } }
      expect(worst(completeCustomization(given)).ratio, primary).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('keeps the owner’s colour as it is where nothing has to be read on it', () => {
    const palette = paletteOf(
      completeCustomization({ styling: { primaryColor: { light: '#0f766e', dark: '#2dd4bf' } } }),
      'light',
    )
    expect(palette.accent).toBe('#0f766e')
  })
})

describe('oklch', () => {
  it('gives every screen colour back', () => {
    fc.assert(
      fc.property(color, (hex) => {
        const parsed = parseColor(hex)
        expect(parsed && toHex(parsed)).toBe(hex)
      }),
    )
  })
})

describe('style sheet', () => {
  const base = { base: '/* base */', fonts: '/fonts/' }

  it('loads the fonts that were chosen from the site itself', () => {
    const { css, preload } = siteStyle(
      completeCustomization({ styling: { font: 'Poppins', monospaceFont: 'FiraCode' } }),
      base,
    )
    expect(css).toContain('url(/fonts/poppins-latin-400-normal.woff2)')
    expect(css).toContain('fira-code')
    expect(css).not.toContain('https://')
    expect(preload).toEqual(['/fonts/poppins-latin-400-normal.woff2'])
  })

  it('falls back to kin and to the system for fonts it does not have', () => {
    expect(siteStyle(completeCustomization({ styling: { font: 'ABCFavorit' } }), base).css).toContain('"Inter"')
    expect(
      siteStyle(completeCustomization(JSON.parse('{ "styling": { "font": "constructor" } }')), base).css,
    ).toContain('--font-text:ui-sans-serif')
  })

  it('lets nothing of a custom font out of its place', () => {
    const font = {
      id: 'x',
      custom: true as const,
      fontFamily: 'Evil";}body{background:red',
      fontFaces: [
        { weight: 400, sources: [{ url: 'javascript:alert(1)' }, { url: 'https://x/a.woff2)}*{color:red}' }] },
      ],
    }
    const { css } = siteStyle(completeCustomization({ styling: { font } }), base)
    expect(css).not.toContain('background:red')
    expect(css).not.toContain('color:red')
    expect(css).not.toContain('javascript')
  })
})
