/** The pages of the built-in templates. */

export interface TemplatePage {
  title: string
  emoji?: string
  markdown: string
  pages?: TemplatePage[]
}

export interface TemplateText {
  title: string
  subtitle: string
  emoji: string
  pages: TemplatePage[]
}

export const templatePages: Record<string, TemplateText> = {
  blank: {
    title: 'Blank',
    subtitle: 'One empty page to start from.',
    emoji: '📄',
    pages: [{ title: 'Welcome', markdown: 'Start writing here.' }],
  },
  'product-docs': {
    title: 'Product documentation',
    subtitle: 'From the first steps to the reference.',
    emoji: '📘',
    pages: [
      {
        title: 'Introduction',
        emoji: '👋',
        markdown:
          'Say in two sentences what the product does and for whom.\n\n{% hint style="info" %}\nReaders decide here whether they are in the right place. Keep it short.\n{% endhint %}\n\n## What you can do\n\n* Name the first thing people come for.\n* Name the second.\n* Name the third.',
      },
      {
        title: 'Get started',
        emoji: '🚀',
        markdown: 'The shortest way from nothing to a first result.',
        pages: [
          {
            title: 'Install',
            markdown:
              '## Before you begin\n\nList what must be there first.\n\n## Install\n\n```bash\nyour-command install\n```\n\n## Check that it works\n\nShow what people should see now.',
          },
          {
            title: 'First steps',
            markdown:
              '{% stepper %}\n{% step %}\n## Make something\n\nOne action, one result.\n{% endstep %}\n\n{% step %}\n## Change it\n\nThe next action.\n{% endstep %}\n\n{% step %}\n## Share it\n\nThe last one.\n{% endstep %}\n{% endstepper %}',
          },
        ],
      },
      { title: 'Guides', emoji: '🧭', markdown: 'One page for each task, named the way people would ask for it.' },
      { title: 'Reference', emoji: '📚', markdown: 'Everything there is, complete and in order.' },
    ],
  },
  'api-reference': {
    title: 'API reference',
    subtitle: 'Authentication, errors and every operation.',
    emoji: '🔌',
    pages: [
      {
        title: 'Overview',
        emoji: '🔌',
        markdown:
          'Where the API lives, what it speaks, and how versions work.\n\n| | |\n| --- | --- |\n| Address | `https://api.example.org/v1` |\n| Format | JSON |',
      },
      {
        title: 'Authentication',
        emoji: '🔑',
        markdown:
          'Every request carries a token.\n\n```bash\ncurl -H "Authorization: Bearer TOKEN" https://api.example.org/v1/things\n```',
      },
      {
        title: 'Errors',
        emoji: '⚠️',
        markdown:
          'What goes wrong and what to do about it.\n\n| Status | Meaning |\n| --- | --- |\n| 400 | The request is malformed. |\n| 401 | The token is missing or wrong. |\n| 404 | There is no such thing. |',
      },
      { title: 'Operations', emoji: '📚', markdown: 'One page for each resource.' },
    ],
  },
  'knowledge-base': {
    title: 'Knowledge base',
    subtitle: 'How a team works, where everybody finds it.',
    emoji: '🧠',
    pages: [
      { title: 'Start here', emoji: '🏠', markdown: 'Who we are, what this place is for, and where to find what.' },
      { title: 'How we work', emoji: '🤝', markdown: 'Decisions, meetings, and the tools we use.' },
      { title: 'How-to', emoji: '🛠️', markdown: 'Answers to questions that were asked twice.' },
      {
        title: 'Decisions',
        emoji: '🧾',
        markdown:
          '## Title of the decision\n\n**When:** the date\n\n**Why:** what made it necessary\n\n**What:** what we do now',
      },
    ],
  },
  changelog: {
    title: 'Changelog',
    subtitle: 'What changed, release by release.',
    emoji: '📣',
    pages: [
      {
        title: 'Changelog',
        emoji: '📣',
        markdown:
          'The newest release stands first.\n\n## 1.0.0\n\n* **New:** what people can do now.\n* **Better:** what became easier.\n* **Fixed:** what works again.',
      },
    ],
  },
}
