/** Sends what a reader thinks of the page without leaving it. */
import { all, from, one } from './dom.ts'

export function startFeedback(): void {
  document.addEventListener('submit', (event) => {
    const form = from<HTMLFormElement>(event, '[data-feedback]')
    if (form === null || !(event instanceof SubmitEvent)) return
    event.preventDefault()
    const button = event.submitter
    const more = one('.feedback-more', form)
    const chosen =
      button instanceof HTMLButtonElement && button.name === 'rating' ? button : one<HTMLButtonElement>('.chosen', form)
    const data = new FormData(form)
    if (chosen !== null) data.set('rating', chosen.value)
    void fetch(form.action, {
      method: 'POST',
      body: new URLSearchParams([...data].map(([name, value]) => [name, String(value)])),
    }).catch(() => undefined)
    if (button instanceof HTMLButtonElement && button.name === 'rating') {
      for (const choice of all('.choice', form)) choice.classList.toggle('chosen', choice === button)
      // A good word needs no question; anything else does.
      if (button.value !== 'good' && more !== null) {
        more.hidden = false
        one('textarea', more)?.focus()
        return
      }
    }
    thank(form)
  })
}

function thank(form: HTMLFormElement): void {
  const thanks = one('.feedback-thanks', form)
  for (const part of all('fieldset, .feedback-more', form)) part.hidden = true
  if (thanks === null) return
  thanks.hidden = false
  thanks.tabIndex = -1
  thanks.focus()
}
