/** A value once it has rested: what is typed is asked for when the typing pauses. */
import { useEffect, useState } from 'react'

export function useDelayed<T>(value: T, milliseconds = 250): T {
  const [rested, rest] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => rest(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return rested
}
