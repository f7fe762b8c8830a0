/** Generated pages for measuring search: words by Zipf's law, some Chinese, some identifiers. */
import type { SearchablePage } from '../../src/store/search-index/prepare.ts'

export interface CorpusOptions {
  pages: number
  sections: number
  seed?: number
  prefix?: string
}

export function* corpus({ pages, sections, seed = 1, prefix = 'page' }: CorpusOptions): Generator<SearchablePage> {
  const random = randomOf(seed)
  for (let i = 0; i < pages; i++) {
    yield {
      pageId: `${prefix}${i}`,
      title: sentence(random, 3),
      hidden: i % 50 === 49,
      sections: Array.from({ length: sections }, (_, s) => ({
        anchor: s === 0 ? '' : `section-${s}`,
        title: s === 0 ? '' : sentence(random, 3),
        body: bodyOf(random),
      })),
    }
  }
}

const vocabularySize = 20_000

/** The word of a rank, made of syllables: 0 is the most common. */
export function wordOf(rank: number): string {
  const syllables = ['ka', 'lo', 'mi', 'tu', 're', 'sen', 'dor', 'pa', 'vi', 'gen', 'ti', 'on', 'es', 'fa', 'qu', 'zem']
  let word = ''
  for (let rest = rank + 17; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length]
  return word
}

const characters = '数据库文档搜索系统用户页面配置安装部署服务器接口版本更新权限管理'

function bodyOf(random: () => number): string {
  const words = 60 + Math.floor(random() * 180)
  const body = sentence(random, words)
  if (random() < 0.05) {
    const start = Math.floor(random() * 20)
    return `${body} ${characters.slice(start, start + 10)}`
  }
  return random() < 0.1 ? `${body} getUser${wordOf(zipf(random))}Name(config.max_pool_size)` : body
}

const sentence = (random: () => number, words: number): string =>
  Array.from({ length: words }, () => wordOf(zipf(random))).join(' ')

const zipf = (random: () => number): number => Math.floor(vocabularySize ** random()) - 1

function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
