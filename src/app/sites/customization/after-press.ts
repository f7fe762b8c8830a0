/**
 * What moves the page when a field is left waits until a press is over: between pressing and letting go of a button nothing may
 * move, or it is let go beside the button and was not pressed.
 */
let isPressed = false
let waiting: (() => void)[] = []

addEventListener(
  'pointerdown',
  () => {
    isPressed = true
  },
  true,
)
for (const end of ['pointerup', 'pointercancel'] as const) addEventListener(end, letGo, true)

export function afterPress(run: () => void): void {
  if (isPressed) waiting.push(run)
  else run()
}

function letGo(): void {
  isPressed = false
  const due = waiting
  waiting = []
  // The click itself comes first.
  setTimeout(() => {
    for (const run of due) run()
  })
}
