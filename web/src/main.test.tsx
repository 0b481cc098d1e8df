import { act } from "react"
import { expect, test, vi } from "vitest"

// What the network loses.
vi.mock("./locales/en.po", () => {
  throw new TypeError("a lost connection")
})

test("a page whose texts don't come says so, and how to go on", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("away")))
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }))
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true)
  document.body.innerHTML = '<div id="root"></div>'
  await act(() => import("./main.tsx"))
  expect(document.querySelector("h1")?.textContent).toBe("Kalos did not load")
  expect(document.querySelector("a")?.href).toBe(location.href)
})
