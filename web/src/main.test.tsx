import { expect, test, vi } from "vitest"
import { soon } from "./testing/soon.ts"

// What the network loses.
vi.mock("./locales/en.po", () => {
  throw new TypeError("a lost connection")
})

test("a page whose texts don't come says so, and how to go on", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("away")))
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }))
  document.body.innerHTML = '<div id="root"></div>'
  await import("./main.tsx")
  const title = () => expect(document.querySelector("h1")?.textContent).toBe("Kalos did not load")
  await soon(title)
  expect(document.querySelector("a")?.href).toBe(location.href)
})
