// Two kinds of plot, as SVG: bars against a floor, and lines of cost over size.

const palette = ['#2563eb', '#d97706', '#059669', '#dc2626', '#7c3aed', '#0891b2', '#be185d', '#65a30d']
const escaped = (text) =>
  String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c])

const text = (x, y, words, { anchor = 'start', size = 13, color = '#1f2937', weight = 400 } = {}) =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" font-size="${size}" fill="${color}" font-weight="${weight}">${escaped(words)}</text>`

const frame = (width, height, title, parts) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif"><rect width="${width}" height="${height}" fill="#fff"/>${text(24, 32, title, { size: 17, weight: 600 })}${parts.join('')}</svg>\n`

/** A bar for each row, to the scale of the floor (1.0); a mark where its goal is. */
export function bars(title, rows) {
  const [left, scale, step] = [230, 460, 30]
  const top = 56
  const most = Math.max(1, ...rows.map((row) => row.ratio))
  const x = (ratio) => left + (ratio / most) * scale
  const height = top + rows.length * step + 34
  const parts = rows.flatMap((row, i) => {
    const y = top + i * step
    const isGood = row.goal === undefined || row.ratio >= row.goal
    const goal =
      row.goal === undefined ? [] : [`<path d="M${x(row.goal)} ${y - 2}v24" stroke="#111827" stroke-width="2"/>`]
    return [
      text(left - 12, y + 15, row.name, { anchor: 'end' }),
      `<rect x="${left}" y="${y}" width="${Math.max(1, x(row.ratio) - left)}" height="20" rx="3" fill="${isGood ? palette[0] : palette[1]}"/>`,
      ...goal,
      text(x(Math.max(row.ratio, row.goal ?? 0)) + 8, y + 15, row.ratio.toFixed(row.ratio < 0.1 ? 3 : 2), {
        color: '#4b5563',
      }),
    ]
  })
  const floor = `<path d="M${x(1)} ${top - 8}V${height - 26}" stroke="#9ca3af" stroke-dasharray="4 4"/>${text(x(1), height - 10, 'bare node:http', { anchor: 'middle', size: 12, color: '#6b7280' })}`
  return frame(left + scale + 90, height, title, [floor, ...parts])
}

/** A line for each operation: milliseconds of CPU by size, both on logarithmic scales. */
export function lines(title, rows, { unit }) {
  const [width, height, left, right, top, bottom] = [820, 440, 70, 190, 60, 50]
  const operations = [...new Set(rows.map((row) => row.operation))]
  const sizes = [...new Set(rows.map((row) => row.size))].sort((a, b) => a - b)
  const costs = rows.map((row) => Math.max(row.cpu, 0.01))
  const [low, high] = [Math.floor(Math.log10(Math.min(...costs))), Math.ceil(Math.log10(Math.max(...costs)))]
  const across = (size) =>
    left +
    ((Math.log10(size) - Math.log10(sizes[0])) / (Math.log10(sizes.at(-1) / sizes[0]) || 1)) * (width - left - right)
  const up = (cost) =>
    height - bottom - ((Math.log10(Math.max(cost, 0.01)) - low) / (high - low || 1)) * (height - top - bottom)
  const grid = Array.from({ length: high - low + 1 }, (_, i) => low + i).flatMap((power) => [
    `<path d="M${left} ${up(10 ** power)}H${width - right}" stroke="#e5e7eb"/>`,
    text(left - 8, up(10 ** power) + 4, `${10 ** power} ms`, { anchor: 'end', size: 12, color: '#6b7280' }),
  ])
  const feet = sizes.map((size) =>
    text(across(size), height - bottom + 22, `${size.toLocaleString('en')} ${unit}`, {
      anchor: 'middle',
      size: 12,
      color: '#6b7280',
    }),
  )
  const labels = spread(operations.map((operation) => up(rows.findLast((row) => row.operation === operation).cpu)))
  const curves = operations.flatMap((operation, i) => {
    const points = rows.filter((row) => row.operation === operation).map((row) => [across(row.size), up(row.cpu)])
    const color = palette[i % palette.length]
    return [
      `<polyline points="${points.map((point) => point.join(',')).join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`,
      ...points.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3.5" fill="${color}"/>`),
      text(width - right + 12, labels[i] + 4, `${operation} (${slopeOf(rows, operation).name})`, { color, size: 13 }),
    ]
  })
  return frame(width, height, title, [...grid, ...feet, ...curves])
}

/** Labels beside each other, none over another. */
function spread(wanted) {
  const order = wanted.map((y, i) => [y, i]).sort((a, b) => a[0] - b[0])
  const placed = []
  let last = Number.NEGATIVE_INFINITY
  for (const [y, i] of order) {
    last = Math.max(y, last + 18)
    placed[i] = last
  }
  return placed
}

/** How cost grows with size: the exponent between the smallest and the largest, and its name. */
export function slopeOf(rows, operation) {
  const own = rows.filter((row) => row.operation === operation)
  const [first, last] = [own[0], own.at(-1)]
  if (first.size === last.size) return { exponent: 0, name: 'one size' }
  const exponent = Math.log(Math.max(last.cpu, 0.01) / Math.max(first.cpu, 0.01)) / Math.log(last.size / first.size)
  return { exponent, name: exponent < 0.1 ? 'flat' : exponent < 0.4 ? 'log' : exponent < 1.2 ? 'linear' : 'steeper' }
}
