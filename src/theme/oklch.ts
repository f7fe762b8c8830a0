/**
 * Colours in OKLCH, where equal steps look equal, and the contrast of WCAG between two of them.
 *
 * The matrices are those of Björn Ottosson's Oklab. A colour outside what a screen can show loses chroma until it fits,
 * so that its hue and lightness stay.
 */

/** Lightness 0..1, chroma 0..0.4, hue in degrees. */
export type Oklch = { l: number; c: number; h: number }
type Rgb = [number, number, number]

/** Reads `#rgb`, `#rrggbb` or `#rrggbbaa`; anything else is no colour. */
export function parseColor(text: string): Oklch | undefined {
  const match = /^#?(?:([\da-f]{3})|([\da-f]{6})(?:[\da-f]{2})?)$/i.exec(text.trim())
  if (match === null) return undefined
  const digits = match[2] ?? (match[1] ?? '').replace(/./g, '$&$&')
  const value = Number.parseInt(digits, 16)
  return toOklch([toLinear((value >> 16) & 255), toLinear((value >> 8) & 255), toLinear(value & 255)])
}

/** The nearest colour a screen can show, as `#rrggbb`. */
export function toHex(color: Oklch): string {
  const l = Math.min(1, Math.max(0, color.l))
  let low = 0
  let high = Math.max(0, color.c)
  let rgb = toRgb({ ...color, l, c: high })
  if (!fits(rgb)) {
    for (let step = 0; step < 16; step += 1) {
      const c = (low + high) / 2
      if (fits(toRgb({ ...color, l, c }))) low = c
      else high = c
    }
    rgb = toRgb({ ...color, l, c: low })
  }
  return `#${rgb.map((part) => fromLinear(part).toString(16).padStart(2, '0')).join('')}`
}

/** The contrast ratio of WCAG 2 between two hexadecimal colours, 1..21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** `amount` of `over` laid on `ground`, as a screen blends it: so that a tint can be told as one plain colour. */
export function blend({ ground, over, amount }: { ground: string; over: string; amount: number }): string {
  const [a, b] = [bytesOf(ground), bytesOf(over)]
  return `#${a
    .map((part, at) =>
      Math.round(part + ((b[at] ?? 0) - part) * amount)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

/**
 * The colour nearest in lightness to `color` that is readable on all the grounds. It goes darker when `toward` is 0 and
 * lighter when it is 1; when even black or white is not enough, black or white it is.
 */
export function readable(color: Oklch, on: { grounds: readonly string[]; toward: 0 | 1; ratio?: number }): string {
  const ratio = on.ratio ?? 4.5
  const enough = (hex: string) => on.grounds.every((ground) => contrast(hex, ground) >= ratio)
  const given = toHex(color)
  if (enough(given)) return given
  let good: number = on.toward
  let bad = color.l
  for (let step = 0; step < 20; step += 1) {
    const l = (good + bad) / 2
    if (enough(toHex({ ...color, l }))) good = l
    else bad = l
  }
  return toHex({ ...color, l: good })
}

/** Black or white, whichever is easier to read on the colour: one of them always reaches 4.5. */
export function inkOn(ground: string): '#ffffff' | '#000000' {
  return contrast('#ffffff', ground) >= 4.5 ? '#ffffff' : '#000000'
}

function luminance(hex: string): number {
  const [r, g, b] = bytesOf(hex).map((byte) => toLinear(byte))
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0)
}

function bytesOf(hex: string): number[] {
  const value = Number.parseInt(hex.slice(1, 7), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

function toLinear(byte: number): number {
  const value = byte / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function fromLinear(value: number): number {
  const clear = Math.min(1, Math.max(0, value))
  return Math.round(255 * (clear <= 0.0031308 ? 12.92 * clear : 1.055 * clear ** (1 / 2.4) - 0.055))
}

function fits(rgb: Rgb): boolean {
  return rgb.every((part) => part >= -0.0001 && part <= 1.0001)
}

function toOklch([r, g, b]: Rgb): Oklch {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  const c = Math.hypot(a, bb)
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: c < 0.0001 ? 0 : c,
    h: c < 0.0001 ? 0 : ((Math.atan2(bb, a) * 180) / Math.PI + 360) % 360,
  }
}

function toRgb({ l, c, h }: Oklch): Rgb {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}
