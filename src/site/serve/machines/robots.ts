/** `robots.txt`: public sites say where their sitemap is, all others that nobody is to look around. */
import { profileOf } from '../profile.ts'
import type { Answered, Asked, Visiting } from '../visiting.ts'
import { textAnswer } from './text-answer.ts'

/** Crawlers that read for language models, kept out where a site is not for them. */
const agents = [
  'Amazonbot',
  'Applebot-Extended',
  'Bytespider',
  'CCBot',
  'ChatGPT-User',
  'Claude-User',
  'ClaudeBot',
  'Google-Extended',
  'GPTBot',
  'meta-externalagent',
  'OAI-SearchBot',
  'PerplexityBot',
]

export async function answerRobots(visiting: Visiting, _asked: Asked): Promise<Answered> {
  const { site } = visiting
  if (site.noIndex) return textAnswer(site, 'text/plain', 'User-agent: *\nDisallow: /\n')
  const { forAgents } = await profileOf(visiting)
  const barred = forAgents ? '' : `${agents.map((agent) => `User-agent: ${agent}`).join('\n')}\nDisallow: /\n\n`
  return textAnswer(site, 'text/plain', `${barred}User-agent: *\nAllow: /\n\nSitemap: ${site.root}/sitemap.xml\n`)
}
